#include "core/models/anthropic_request.h"

#include "core/base/json.h"
#include "core/models/content_blocks.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sg::models {
namespace {

constexpr std::int64_t kMaxTokens = 4096; // the wire demands a number

Value textBlock(const std::string& text)
{
    return Value::map({ { "type", "text" }, { "text", text } });
}

Value toolUse(const Value& name, const Value& id, Value input)
{
    return Value::map(
        { { "type", "tool_use" }, { "name", name }, { "input", std::move(input) }, { "id", id } });
}

// Returns the block with these keys alone.
Value onlyKeys(const Value& block, std::initializer_list<std::string_view> keys)
{
    ValueMap out;
    for (const auto& [key, value] : block.asMap())
        if (key.isString() && std::ranges::find(keys, key.asString()) != keys.end())
            out.set(key, value);
    return Value(std::move(out));
}

Value withoutKey(const Value& block, std::string_view left)
{
    ValueMap out;
    for (const auto& [key, value] : block.asMap())
        if (key != Value(left))
            out.set(key, value);
    return Value(std::move(out));
}

// A call of a tool that the server itself runs. A stream tells its input in pieces, which the server does not
// take back.
Value serverToolUse(const Value& block)
{
    Value out = onlyKeys(block, { "type", "id", "input", "name", "server_name", "cache_control" });
    const Value& pieces = block["partial_json"];
    if (pieces.isString() && !pieces.asString().empty())
        if (auto input = parseJson(pieces.asString()); input && input->isMap())
            out.editMap().set("input", std::move(*input));
    return out;
}

Value imageBlock(const ImageBlock& image)
{
    const Value source = image.url.empty()
        ? Value::map({ { "type", "base64" }, { "media_type", image.mediaType }, { "data", image.data } })
        : Value::map({ { "type", "url" }, { "url", image.url } });
    return Value::map({ { "type", "image" }, { "source", source } });
}

const Value* callNamed(const Value& message, const Value& id)
{
    if (message["tool_calls"].isList())
        for (const Value& call : message["tool_calls"].asList())
            if (call["id"] == id)
                return &call;
    return nullptr;
}

// Returns nothing if the block is not sent.
std::optional<Value> formattedBlock(const Value& message, const Value& block)
{
    if (block.isString())
        return textBlock(block.asString());
    if (const auto image = imageOf(block))
        return imageBlock(*image);
    const std::string type = block.stringOr("type", "");
    if (type == "text") {
        const std::string text = block.stringOr("text", "");
        if (text.find_first_not_of(" \t\r\n") == std::string::npos)
            return std::nullopt;
        return onlyKeys(block, { "type", "text", "cache_control", "citations" });
    }
    if (type == "thinking")
        return onlyKeys(block, { "type", "thinking", "cache_control", "signature" });
    if (type == "redacted_thinking")
        return onlyKeys(block, { "type", "cache_control", "data" });
    if (type == "tool_use") {
        // The call as it was read counts; what could not be read is sent without arguments.
        const Value* call = callNamed(message, block["id"]);
        const Value& input = block["input"];
        return toolUse(block["name"], block["id"],
                       call != nullptr     ? (*call)["args"]
                           : input.isMap() ? input
                                           : Value(ValueMap()));
    }
    if (type == "reasoning" || type == "input_json_delta")
        return std::nullopt;
    if (type == "server_tool_use" || type == "mcp_tool_use")
        return serverToolUse(block);
    if (type.ends_with("_tool_result"))
        return withoutKey(block, "index");
    return block;
}

ValueList blocksOf(const Value& message)
{
    ValueList blocks;
    const Value& content = message["content"];
    if (content.isString() && !content.asString().empty())
        blocks.push_back(textBlock(content.asString()));
    if (content.isList())
        for (const Value& block : content.asList())
            if (auto formatted = formattedBlock(message, block))
                blocks.push_back(std::move(*formatted));
    return blocks;
}

bool holdsCall(const ValueList& blocks, const Value& id)
{
    return std::ranges::any_of(blocks, [&](const Value& block) {
        return block.stringOr("type", "") == "tool_use" && block["id"] == id;
    });
}

void addCalls(const Value& message, ValueList& blocks)
{
    if (message["tool_calls"].isList())
        for (const Value& call : message["tool_calls"].asList())
            if (!holdsCall(blocks, call["id"]))
                blocks.push_back(toolUse(call["name"], call["id"], call["args"]));
    if (message["invalid_tool_calls"].isList())
        for (const Value& call : message["invalid_tool_calls"].asList())
            if (!holdsCall(blocks, call["id"]) && call["id"].isString())
                blocks.push_back(toolUse(call["name"], call["id"], Value(ValueMap())));
}

bool hasCalls(const Value& message)
{
    const auto has = [&](const char* key) { return message[key].isList() && !message[key].asList().empty(); };
    return has("tool_calls") || has("invalid_tool_calls");
}

ValueList asBlocks(const Value& content)
{
    return content.isList()    ? content.asList()
        : content == Value("") ? ValueList()
                               : ValueList{ textBlock(textOf(content)) };
}

// Messages of one role that follow each other are one; results of tools are the user's.
void append(ValueList& messages, const char* role, Value content)
{
    if (!messages.empty() && messages.back().stringOr("role", "") == role
        && std::string_view(role) == "user") {
        ValueList joined = asBlocks(messages.back()["content"]);
        for (Value& block : asBlocks(content))
            joined.push_back(std::move(block));
        messages.back().editMap().set("content", Value(std::move(joined)));
        return;
    }
    messages.push_back(Value::map({ { "role", role }, { "content", std::move(content) } }));
}

void appendMessage(const Value& message, bool isLast, ValueList& messages)
{
    const std::string type = message.stringOr("type", "human");
    if (type == "tool") {
        const Value content = message["content"].isList() ? Value(blocksOf(message)) : message["content"];
        append(messages, "user",
               Value::list({ Value::map({ { "type", "tool_result" },
                                          { "content", content },
                                          { "tool_use_id", message["tool_call_id"] },
                                          { "is_error", message.stringOr("status", "") == "error" } }) }));
        return;
    }
    if (type != "ai") {
        append(messages, "user",
               message["content"].isString() ? message["content"] : Value(blocksOf(message)));
        return;
    }
    Value content = message["content"];
    if (content.isList() || hasCalls(message)) {
        ValueList blocks = blocksOf(message);
        addCalls(message, blocks);
        content = Value(std::move(blocks));
    }
    if (isLast && content.isString()) { // the server refuses blanks at the end of an answer begun
        std::string text = content.asString();
        text.erase(text.find_last_not_of(" \t\r\n") + 1);
        content = Value(std::move(text));
    }
    if (!isLast && (content == Value("") || content == Value(ValueList())))
        return;
    append(messages, "assistant", std::move(content));
}

void addSystem(const Value& content, std::optional<Value>& system)
{
    if (!system) {
        system = content;
        return;
    }
    ValueList joined = asBlocks(*system);
    for (Value& block : asBlocks(content))
        joined.push_back(std::move(block));
    system = Value(std::move(joined));
}

void addTools(const ChatRequest& request, ValueMap& body)
{
    if (request.tools.empty())
        return;
    ValueList tools;
    for (const ChatTool& tool : request.tools)
        tools.push_back(Value::map({ { "name", tool.name },
                                     { "input_schema",
                                       tool.parameters.isNull() ? Value::map(
                                           { { "type", "object" }, { "properties", Value(ValueMap()) } })
                                                                : tool.parameters },
                                     { "description", tool.description } }));
    body.set("tools", Value(std::move(tools)));
    if (!request.toolChoice.isString())
        return;
    const std::string& choice = request.toolChoice.asString();
    if (choice == "auto" || choice == "none" || choice == "any")
        body.set("tool_choice", Value::map({ { "type", choice } }));
    else if (choice == "required")
        body.set("tool_choice", Value::map({ { "type", "any" } }));
    else
        body.set("tool_choice", Value::map({ { "type", "tool" }, { "name", choice } }));
}

} // namespace

std::string anthropicBody(const ChatRequest& request)
{
    std::size_t last = request.messages.size();
    for (std::size_t i = 0; i < request.messages.size(); ++i)
        if (request.messages[i].stringOr("type", "") != "system")
            last = i;
    ValueList messages;
    std::optional<Value> system;
    for (std::size_t i = 0; i < request.messages.size(); ++i) {
        const Value& message = request.messages[i];
        if (message.stringOr("type", "") == "system")
            addSystem(message["content"], system);
        else
            appendMessage(message, i == last, messages);
    }
    ValueMap body{ { "model", request.model },
                   { "max_tokens", request.maxTokens.value_or(kMaxTokens) },
                   { "messages", Value(std::move(messages)) } };
    if (system)
        body.set("system", std::move(*system));
    if (request.temperature)
        body.set("temperature", *request.temperature);
    if (request.streams)
        body.set("stream", true);
    addTools(request, body);
    if (!request.schema.isNull())
        body.set("output_config",
                 Value::map({ { "format",
                                Value::map({ { "type", "json_schema" }, { "schema", request.schema } }) } }));
    for (const auto& [key, value] : request.options) {
        const bool isMoreTools = key == Value("tools") && value.isList() && body.find("tools") != nullptr;
        if (!isMoreTools) {
            body.set(key, value);
            continue;
        }
        ValueList& tools = body.at("tools").editList(); // the server's beside those of the graph
        tools.insert(tools.end(), value.asList().begin(), value.asList().end());
    }
    return toJson(Value(std::move(body)));
}

} // namespace sg::models
