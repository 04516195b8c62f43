#include "core/agents/review.h"

#include "core/base/json.h"
#include "core/engine/errors/python_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace sg::agents {
namespace {

constexpr const char* kEditNotice = "Note: a human reviewer replaced this tool call before it ran. The call "
                                    "recorded in your message is the one "
                                    "you produced, not the one that executed. This was intentional and "
                                    "authorized. Do not re-issue your original "
                                    "call.";

Error wrong(std::string message)
{
    return { Errc::InvalidArgument, std::move(message) };
}

Value allowedOf(const ReviewRule& rule)
{
    return Value(ValueList(rule.allowed.begin(), rule.allowed.end()));
}

std::string descriptionOf(const Reviewed& reviewed)
{
    if (!reviewed.rule->description.empty())
        return reviewed.rule->description;
    return "Tool execution requires approval\n\nTool: " + reviewed.call.name
        + "\nArgs: " + engine::pythonRepr(reviewed.call.args);
}

// json.dumps() of Python: everything beyond ASCII is escaped.
std::string asciiJson(const Value& value)
{
    const std::string text = toJson(value, JsonStyle::Spaced);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        if (first < 0x80) {
            out += text[i++];
            continue;
        }
        const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        std::uint32_t point = first & (0xffU >> (size + 1));
        for (std::size_t k = 1; k < size && i + k < text.size(); ++k)
            point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        i += size;
        char escaped[16];
        if (point >= 0x10000)
            std::snprintf(escaped, sizeof escaped, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
                          0xdc00 + ((point - 0x10000) & 0x3ff));
        else
            std::snprintf(escaped, sizeof escaped, "\\u%04x", point);
        out += escaped;
    }
    return out;
}

std::string rejectText(const ToolCall& call, const std::string& reason)
{
    if (!reason.empty())
        return "User rejected the tool call for `" + call.name + "` with reason: " + reason;
    return "User rejected the tool call for `" + call.name + "` with id " + call.id
        + ". The tool was not executed. Do not retry this tool call unless the user explicitly requests it.";
}

} // namespace

Value batchQuestion(const std::vector<Reviewed>& calls)
{
    ValueList actions;
    ValueList configs;
    for (const Reviewed& each : calls) {
        actions.push_back(Value::map({ { "name", each.call.name },
                                       { "args", each.call.args },
                                       { "description", descriptionOf(each) } }));
        configs.push_back(Value::map(
            { { "action_name", each.call.name }, { "allowed_decisions", allowedOf(*each.rule) } }));
    }
    return Value::map({ { "action_requests", Value(std::move(actions)) },
                        { "review_configs", Value(std::move(configs)) } });
}

Value callQuestion(const Reviewed& call)
{
    return Value::map({ { "type", "tool_approval" },
                        { "tool_call_id", call.call.id },
                        { "name", call.call.name },
                        { "args", call.call.args },
                        { "description", descriptionOf(call) } });
}

Result<Decision> readDecision(const Value& decision, const Reviewed& reviewed)
{
    const ToolCall& call = reviewed.call;
    const std::string type = decision.stringOr("type", "");
    const auto& allowed = reviewed.rule->allowed;
    if (std::ranges::find(allowed, type) == allowed.end())
        return wrong("Unexpected human decision: " + engine::pythonRepr(decision) + ". Decision type '"
                     + (decision["type"].isNull() ? "None" : type) + "' is not allowed for tool '" + call.name
                     + "'. Expected one of " + engine::pythonRepr(allowedOf(*reviewed.rule))
                     + " based on the tool's configuration.");
    if (type == "approve")
        return Decision{};
    if (type == "edit") {
        const Value& action = decision["edited_action"];
        auto edited = asToolCall(action);
        if (!edited)
            return wrong("an edit has \"edited_action\": {\"name\": …, \"args\": {…}}");
        edited->id = call.id;
        return Decision{ Decision::Kind::Edit, std::move(*edited), {} };
    }
    if (type == "respond" && !decision["message"].isString())
        return wrong("\"respond\" needs \"message\", the text that the model gets as the tool's result");
    const std::string message = decision.stringOr("message", "");
    const bool rejects = type == "reject";
    return Decision{ rejects ? Decision::Kind::Reject : Decision::Kind::Respond,
                     {},
                     toolMessage(call, rejects ? rejectText(call, message) : message,
                                 rejects ? ToolStatus::Error : ToolStatus::Success) };
}

Result<std::vector<Decision>> readDecisions(const Value& answer, const std::vector<Reviewed>& calls)
{
    const Value& given = answer["decisions"];
    if (!given.isList())
        return wrong("the answer is {\"decisions\": […]}, one for each call, in order");
    if (given.asList().size() != calls.size())
        return wrong("Number of human decisions (" + std::to_string(given.asList().size())
                     + ") does not match number of hanging tool calls (" + std::to_string(calls.size())
                     + ").");
    std::vector<Decision> decisions;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        auto decision = readDecision(given[i], calls[i]);
        if (!decision)
            return std::move(decision.error());
        decisions.push_back(std::move(*decision));
    }
    return decisions;
}

Value withEditNotice(const Value& content, const ToolCall& executed)
{
    const std::string notice = std::string(kEditNotice) + " Executed instead: " + executed.name
        + " with arguments " + asciiJson(executed.args) + ".";
    if (content.isList()) {
        ValueList blocks{ Value::map(
            { { "type", "text" },
              { "text", notice + (content.asList().empty() ? "" : "\n\nTool response:") } }) };
        blocks.insert(blocks.end(), content.asList().begin(), content.asList().end());
        return Value(std::move(blocks));
    }
    const std::string text = content.isString() ? content.asString() : toJson(content);
    return notice + (text.empty() ? std::string() : "\n\nTool response:\n" + text);
}

} // namespace sg::agents
