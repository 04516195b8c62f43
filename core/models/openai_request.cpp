#include "core/models/openai_request.h"

#include "core/base/json.h"
#include "core/models/content_blocks.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sg::models {
namespace {

constexpr std::array<std::string_view, 5> kBlocksOfOthers{ "tool_use", "thinking", "redacted_thinking",
                                                           "reasoning_content", "reasoning" };

Value formattedBlock(const Value& block)
{
    const auto image = imageOf(block);
    if (!image)
        return block;
    ValueMap address{
        { "url", image->url.empty() ? "data:" + image->mediaType + ";base64," + image->data : image->url }
    };
    if (!image->detail.isNull())
        address.set("detail", image->detail);
    return Value::map({ { "type", "image_url" }, { "image_url", Value(std::move(address)) } });
}

Value formattedContent(const Value& content)
{
    if (!content.isList())
        return content;
    ValueList blocks;
    for (const Value& block : content.asList())
        if (std::ranges::find(kBlocksOfOthers, block.stringOr("type", "")) == kBlocksOfOthers.end())
            blocks.push_back(formattedBlock(block));
    return Value(std::move(blocks));
}

Value callValue(const Value& call, const std::string& arguments)
{
    return Value::map(
        { { "type", "function" },
          { "id", call["id"] },
          { "function", Value::map({ { "name", call["name"] }, { "arguments", arguments } }) } });
}

// Calls that could not be read go back as the text that the model wrote.
ValueList callsOf(const Value& message)
{
    ValueList calls;
    if (message["tool_calls"].isList())
        for (const Value& call : message["tool_calls"].asList())
            calls.push_back(callValue(call, toJson(call["args"], JsonStyle::Spaced)));
    if (message["invalid_tool_calls"].isList())
        for (const Value& call : message["invalid_tool_calls"].asList())
            calls.push_back(callValue(call, call.stringOr("args", "")));
    return calls;
}

std::string roleOf(const Value& message)
{
    const std::string type = message.stringOr("type", "human");
    if (type == "human")
        return "user";
    if (type == "ai")
        return "assistant";
    if (type == "system")
        return message["additional_kwargs"].stringOr("__openai_role__", "system");
    return type == "chat" ? message.stringOr("role", "user") : type;
}

Value messageValue(const Value& message)
{
    ValueMap out{ { "content", formattedContent(message["content"]) } };
    const std::string role = roleOf(message);
    if (role == "tool") {
        out.set("role", role);
        out.set("tool_call_id", message["tool_call_id"]);
        return Value(std::move(out));
    }
    const Value& name = message["name"].isNull() ? message["additional_kwargs"]["name"] : message["name"];
    if (!name.isNull())
        out.set("name", name);
    out.set("role", role);
    ValueList calls = role == "assistant" ? callsOf(message) : ValueList();
    if (!calls.empty()) {
        out.set("tool_calls", Value(std::move(calls)));
        if (const Value* content = out.find("content");
            *content == Value("") || *content == Value(ValueList()))
            out.set("content", {});
    }
    return Value(std::move(out));
}

// LangChain tells no model the titles that pydantic writes beside each field.
Value withoutTitles(const Value& schema)
{
    if (schema.isList()) {
        ValueList list;
        for (const Value& item : schema.asList())
            list.push_back(withoutTitles(item));
        return Value(std::move(list));
    }
    if (!schema.isMap())
        return schema;
    ValueMap out;
    for (const auto& [key, value] : schema.asMap()) {
        if (key == Value("title") && value.isString())
            continue;
        out.set(key, withoutTitles(value));
    }
    return Value(std::move(out));
}

void addTools(const ChatRequest& request, ValueMap& body)
{
    if (request.tools.empty())
        return;
    ValueList tools;
    for (const ChatTool& tool : request.tools)
        tools.push_back(Value::map(
            { { "type", "function" },
              { "function",
                Value::map({ { "name", tool.name },
                             { "description", tool.description },
                             { "parameters",
                               tool.parameters.isNull()
                                   ? Value::map({ { "type", "object" }, { "properties", Value(ValueMap()) } })
                                   : withoutTitles(tool.parameters) } }) } }));
    body.set("tools", Value(std::move(tools)));
    if (!request.toolChoice.isString())
        return;
    const std::string& choice = request.toolChoice.asString();
    if (choice == "auto" || choice == "none")
        body.set("tool_choice", choice);
    else if (choice == "any" || choice == "required")
        body.set("tool_choice", "required");
    else
        body.set("tool_choice",
                 Value::map({ { "type", "function" }, { "function", Value::map({ { "name", choice } }) } }));
}

} // namespace

std::string openAiBody(const ChatRequest& request)
{
    ValueMap body{ { "model", request.model }, { "stream", request.streams } };
    if (request.temperature)
        body.set("temperature", *request.temperature);
    if (request.maxTokens)
        body.set(request.namesCompletionTokens ? "max_completion_tokens" : "max_tokens", *request.maxTokens);
    ValueList messages;
    for (const Value& message : request.messages)
        messages.push_back(messageValue(message));
    body.set("messages", Value(std::move(messages)));
    if (request.streams && request.asksUsage)
        body.set("stream_options", Value::map({ { "include_usage", true } }));
    addTools(request, body);
    if (!request.schema.isNull())
        body.set("response_format",
                 Value::map({ { "type", "json_schema" },
                              { "json_schema",
                                Value::map({ { "name", request.schemaName },
                                             { "strict", true },
                                             { "schema", request.schema } }) } }));
    for (const auto& [key, value] : request.options)
        body.set(key, value);
    return toJson(Value(std::move(body)));
}

} // namespace sg::models
