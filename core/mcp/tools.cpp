#include "core/mcp/tools.h"

#include "core/base/hash.h"
#include "core/base/json.h"

#include <algorithm>
#include <utility>

namespace sg::mcp {
namespace {

constexpr std::size_t kMostQuestions = 100; // of one result

bool isNameLetter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

std::string nameOf(std::string_view text)
{
    std::string name(text);
    std::ranges::replace_if(
        name, [](char letter) { return !isNameLetter(letter); }, '_');
    return name;
}

// About how many bytes a base64 text holds.
std::string sizeOf(const Value& data)
{
    return std::to_string(data.isString() ? data.asString().size() * 3 / 4 : 0) + " bytes";
}

std::string resourceText(const Value& resource)
{
    const std::string uri = resource.stringOr("uri", "");
    if (resource["text"].isString())
        return resource["text"].asString();
    return "[a resource of " + sizeOf(resource["blob"]) + ", " + resource.stringOr("mimeType", "bytes") + ": "
        + uri + "]";
}

std::string blockText(const Value& block)
{
    const std::string type = block.stringOr("type", "");
    if (type == "text")
        return block.stringOr("text", "");
    if (type == "resource")
        return resourceText(block["resource"]);
    if (type == "resource_link") {
        const std::string about = block.stringOr("description", "");
        return "[" + block.stringOr("name", "a resource") + ": " + block.stringOr("uri", "")
            + (about.empty() ? "" : ", " + about) + "]";
    }
    if (type == "image" || type == "audio")
        return "[" + type + ", " + block.stringOr("mimeType", "of unknown kind") + ", "
            + sizeOf(block["data"]) + "]";
    return toJson(block);
}

} // namespace

std::string Tool::fingerprint() const
{
    return sha256Hex(toJson(Value::list({ name, title, description, inputSchema, outputSchema })));
}

Result<Tool> parseTool(const Value& tool)
{
    const auto wrong = [&](const std::string& what) {
        return Error{ Errc::InvalidArgument, "the tool \"" + tool.stringOr("name", "") + "\" " + what };
    };
    Tool made{ tool.stringOr("name", "") };
    if (made.name.empty() || made.name.size() > 256)
        return Error{ Errc::InvalidArgument, "a tool has no name, or one of more than 256 bytes" };
    if (toJson(tool).size() > kMostToolBytes)
        return Error{ Errc::LimitExceeded, wrong("is described by more than 256 KiB").message };
    made.title = tool.stringOr("title", tool["annotations"].stringOr("title", ""));
    made.description = tool.stringOr("description", "");
    made.inputSchema = tool["inputSchema"];
    if (!made.inputSchema.isMap())
        return wrong("has no \"inputSchema\"");
    if (made.inputSchema.stringOr("type", "object") != "object")
        return wrong("takes something other than an object");
    made.outputSchema = tool["outputSchema"];
    if (!made.outputSchema.isNull() && !made.outputSchema.isMap())
        return wrong("has an \"outputSchema\" that is no object");
    const Value& hints = tool["annotations"];
    made.readOnly = hints.boolOr("readOnlyHint", false);
    made.destructive = hints.boolOr("destructiveHint", true);
    made.idempotent = hints.boolOr("idempotentHint", false);
    made.openWorld = hints.boolOr("openWorldHint", true);
    return made;
}

std::string ToolResult::text() const
{
    std::string all;
    for (const Value& block : content) {
        if (!all.empty())
            all += '\n';
        all += blockText(block);
    }
    if (all.empty() && !structured.isNull())
        return toJson(structured);
    return all;
}

ToolResult failedCall(std::string text)
{
    ToolResult result;
    result.isError = true;
    result.content.push_back(Value::map({ { "type", "text" }, { "text", std::move(text) } }));
    return result;
}

Result<ToolResult> parseToolResult(const Value& result)
{
    if (!result.isMap())
        return Error{ Errc::InvalidArgument, "the server answered a call with something that is no object" };
    ToolResult made;
    if (result.stringOr("resultType", "complete") == "input_required") {
        const Value& requests = result["inputRequests"];
        if (!requests.isMap() || requests.asMap().empty())
            return Error{ Errc::InvalidArgument, "the server asks for input, but not for which" };
        if (requests.asMap().size() > kMostQuestions)
            return Error{ Errc::LimitExceeded,
                          "the server asks " + std::to_string(requests.asMap().size())
                              + " questions at once; at most " + std::to_string(kMostQuestions)
                              + " are put" };
        for (const auto& [key, request] : requests.asMap()) {
            if (request.stringOr("method", "") != "elicitation/create")
                return Error{ Errc::Unsupported,
                              "the server asks for " + request.stringOr("method", "something unknown")
                                  + ", which is not offered here" };
            made.questions.push_back(
                parseQuestion(key.isString() ? key.asString() : toJson(key), request["params"]));
        }
        if (const Value* state = result.find("requestState"); state != nullptr && state->isString()) {
            made.state = state->asString();
            made.hasState = true;
        }
        return made;
    }
    if (!result["content"].isList() && result["structuredContent"].isNull())
        return Error{ Errc::InvalidArgument, "the server answered a call without \"content\"" };
    if (result["content"].isList())
        made.content = result["content"].asList();
    made.isError = result.boolOr("isError", false);
    made.structured = result["structuredContent"];
    return made;
}

Value answerValue(const ToolAnswer& answer)
{
    switch (answer.action) {
    case ToolAnswer::Action::Accept:
        return answer.content.isNull()
            ? Value::map({ { "action", "accept" } })
            : Value::map({ { "action", "accept" }, { "content", answer.content } });
    case ToolAnswer::Action::Decline: return Value::map({ { "action", "decline" } });
    case ToolAnswer::Action::Cancel: break;
    }
    return Value::map({ { "action", "cancel" } });
}

ToolQuestion parseQuestion(std::string key, const Value& params)
{
    return { std::move(key), params.stringOr("message", ""), params["requestedSchema"],
             params.stringOr("url", "") };
}

std::string offeredName(std::string_view server, std::string_view tool, const std::set<std::string>& taken)
{
    std::string name = nameOf(server) + "_" + nameOf(tool);
    if (name.size() > kLongestName) // the end of a long name tells more than its middle
        name = name.substr(0, 40) + "_" + sha256Hex(name).substr(0, 8) + "_" + name.substr(name.size() - 14);
    if (!taken.contains(name))
        return name;
    const std::string stem = name.substr(0, kLongestName - 5);
    for (int number = 2;; ++number)
        if (std::string other = stem + "_" + std::to_string(number); !taken.contains(other))
            return other;
}

} // namespace sg::mcp
