#pragma once

#include "core/base/value.h"

#include <QString>

#include <vector>

namespace sg::ui {

// LangChain's messages as people read them; plain OpenAI messages are known too. Pure.
struct ToolCall {
    QString name;
    QString id;
    QString arguments; // indented JSON
};

struct MessageRow {
    QString role; // "human", "ai", "tool", "system", …
    QString name; // of the agent or tool; may be empty
    QString text; // images and files stand as what they are and their size
    std::vector<ToolCall> calls;
    QString answers; // of a tool's message: the id of the call
    bool hasFailed = false; // a tool's message that says so
};

// The newest `most` of the messages in a state, of the first channel that holds some; `left` are the older
// ones, and what is no message is left out.
struct Messages {
    QString channel; // empty: the state has none
    std::vector<MessageRow> rows;
    std::size_t left = 0;
};
Messages messagesOf(const Value& state, std::size_t most);

} // namespace sg::ui
