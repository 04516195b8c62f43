#include "core/agents/agent_messages.h"

#include "core/checkpoint/serde/langgraph_types.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sg::agents {
namespace {

// Most messages are no AIMessages: the name of the class is read without the rest.
Value mapOf(const Value& message)
{
    auto read = checkpoint::asMessage(message);
    return read ? std::move(*read) : Value();
}

bool isOfType(const Value& message, std::string_view type)
{
    const std::string found = message.stringOr("type", "");
    return found == type || found == std::string(type) + "MessageChunk";
}

bool isAi(const Value& message)
{
    return isOfType(message, "ai") || message.stringOr("type", "") == "AIMessageChunk";
}

} // namespace

std::optional<ToolCall> asToolCall(const Value& call)
{
    if (!call["name"].isString() || !call["args"].isMap())
        return std::nullopt;
    return ToolCall{ call.stringOr("id", ""), call["name"].asString(), call["args"] };
}

Value toValue(const ToolCall& call)
{
    return Value::map(
        { { "name", call.name }, { "args", call.args }, { "id", call.id }, { "type", "tool_call" } });
}

Value toolMessage(const ToolCall& call, const Value& content, ToolStatus status)
{
    auto message =
        checkpoint::makeMessage({ { "type", "tool" },
                                  { "content", content },
                                  { "name", call.name },
                                  { "tool_call_id", call.id },
                                  { "status", status == ToolStatus::Error ? "error" : "success" } });
    return message ? std::move(*message) : Value();
}

const ValueList& messagesOf(const Value& state)
{
    static const ValueList kNone;
    const Value& messages = state["messages"];
    return messages.isList() ? messages.asList() : kNone;
}

LastTurn lastTurn(const ValueList& messages)
{
    LastTurn turn;
    for (std::size_t i = messages.size(); i-- > 0;) {
        Value message = mapOf(messages[i]);
        if (isAi(message)) {
            turn.calls = message["tool_calls"].isList() ? message["tool_calls"].asList() : ValueList();
            turn.ai = std::move(message);
            std::ranges::reverse(turn.tools);
            return turn;
        }
        if (isOfType(message, "tool"))
            turn.tools.push_back(std::move(message));
    }
    return {};
}

std::optional<ValueList> withInvalidCallsAnswered(const ValueList& messages)
{
    ValueList maps;
    std::set<std::string> answered;
    bool isAnyInvalid = false;
    for (const Value& message : messages) {
        maps.push_back(mapOf(message));
        if (isOfType(maps.back(), "tool"))
            answered.insert(maps.back().stringOr("tool_call_id", ""));
        isAnyInvalid = isAnyInvalid
            || (maps.back()["invalid_tool_calls"].isList()
                && !maps.back()["invalid_tool_calls"].asList().empty());
    }
    if (!isAnyInvalid)
        return std::nullopt;
    ValueList patched;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        patched.push_back(messages[i]);
        if (!isAi(maps[i]) || !maps[i]["invalid_tool_calls"].isList())
            continue;
        for (const Value& call : maps[i]["invalid_tool_calls"].asList()) {
            if (!call["id"].isString() || !answered.insert(call["id"].asString()).second)
                continue;
            const std::string given = call.stringOr("name", "");
            const ToolCall told{ call["id"].asString(), given.empty() ? "unknown" : given };
            patched.push_back(
                toolMessage(told,
                            "Tool call " + told.name + " with id " + told.id
                                + " could not be executed - arguments were malformed or truncated.",
                            ToolStatus::Error));
        }
    }
    if (patched.size() == messages.size())
        return std::nullopt;
    return patched;
}

std::string unknownToolText(std::string_view tool, const std::vector<std::string>& known)
{
    std::string names;
    for (const std::string& name : known)
        names += (names.empty() ? "" : ", ") + name;
    return "Error: " + std::string(tool) + " is not a valid tool, try one of [" + names + "].";
}

std::string toolErrorText(std::string_view exception)
{
    return "Error: " + std::string(exception) + "\n Please fix your mistakes.";
}

} // namespace sg::agents
