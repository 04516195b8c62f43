#pragma once

#include "core/base/value.h"

#include <QString>

#include <vector>

namespace sg::ui {

// Readable form of LangChain's messages; plain OpenAI messages are accepted too.
struct ToolCall {
    QString name;
    QString id;
    QString arguments; // indented JSON
};

struct MessageRow {
    QString role; // "human", "ai", "tool", "system", …
    QString name; // of the agent or tool; may be empty
    QString text; // images and files are named with their type and size
    std::vector<ToolCall> calls;
    QString answers; // id of the call that a tool's message answers
    bool hasFailed = false; // a tool's message reports a failure
};

// The newest `most` messages in the first channel of a state that holds some. `left` counts the older ones;
// items that are no messages are dropped.
struct Messages {
    QString channel; // empty if there are no messages
    std::vector<MessageRow> rows;
    std::size_t left = 0;
};
Messages messagesOf(const Value& state, std::size_t most);

} // namespace sg::ui
