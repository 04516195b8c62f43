#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>
#include <string_view>

// Reads and makes the messages of an agent's loop, in LangChain's forms and words. All of it is pure.
namespace sg::agents {

// One call of a tool, as an AIMessage has it.
struct ToolCall {
    std::string id;
    std::string name;
    Value args = Value(ValueMap());
};
std::optional<ToolCall> asToolCall(const Value& call);
Value toValue(const ToolCall& call); // {"name", "args", "id", "type": "tool_call"}

enum class ToolStatus { Success, Error };
// A ToolMessage that answers the call. `content` is text, or a list of blocks.
Value toolMessage(const ToolCall& call, const Value& content, ToolStatus status = ToolStatus::Success);

// The list of a state's channel; empty where it is none.
const ValueList& messagesOf(const Value& state);

// The newest AIMessage and what tools have answered after it.
struct LastTurn {
    Value ai; // as a map; null: there is none
    ValueList tools; // ToolMessages as maps
    ValueList calls; // of the AIMessage
};
LastTurn lastTurn(const ValueList& messages);

// The messages with an answer after each call that could not be read: a model takes no call without one.
// nullopt: all calls are answered or could be read.
std::optional<ValueList> withInvalidCallsAnswered(const ValueList& messages);

// The words in which LangChain tells a model of an error.
std::string unknownToolText(std::string_view tool, const std::vector<std::string>& known);
std::string toolErrorText(std::string_view exception); // its repr()

} // namespace sg::agents
