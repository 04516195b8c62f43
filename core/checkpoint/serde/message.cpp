#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"

#include <array>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr std::string_view kMessagesModule = "langchain_core.messages.";

struct MessageKind {
    std::string_view type;
    std::string_view chunkType;
    std::string_view module;
    std::string_view className;
};
constexpr std::array kMessageKinds{
    MessageKind{ "human", "HumanMessageChunk", "human", "HumanMessage" },
    MessageKind{ "ai", "AIMessageChunk", "ai", "AIMessage" },
    MessageKind{ "system", "SystemMessageChunk", "system", "SystemMessage" },
    MessageKind{ "tool", "ToolMessageChunk", "tool", "ToolMessage" },
    MessageKind{ "function", "FunctionMessageChunk", "function", "FunctionMessage" },
    MessageKind{ "chat", "ChatMessageChunk", "chat", "ChatMessage" },
    MessageKind{ "remove", "", "modifier", "RemoveMessage" },
};

const MessageKind* kindOf(std::string_view type)
{
    for (const MessageKind& kind : kMessageKinds) {
        if (type == kind.type || (!kind.chunkType.empty() && type == kind.chunkType))
            return &kind;
    }
    return nullptr;
}

Value withToolCallType(const Value& calls)
{
    Value typed = calls.isList() ? calls : Value(ValueList());
    for (Value& call : typed.editList()) {
        if (call.isMap() && !call.asMap().contains("type"))
            call.editMap().set("type", "tool_call");
    }
    return typed;
}

} // namespace

std::optional<Value> asMessage(const Value& value)
{
    if (!value.isExt() || value.asExt().code != static_cast<std::int8_t>(PythonExt::PydanticV2))
        return std::nullopt;
    auto object = asPythonObject(value.asExt());
    if (!object || !object->module.starts_with(kMessagesModule) || !object->argument.isMap()
        || kindOf(object->argument.stringOr("type", "")) == nullptr)
        return std::nullopt;
    return std::move(object->argument);
}

std::optional<Value> makeMessage(const ValueMap& message)
{
    const Value* type = message.find("type");
    const MessageKind* kind = type != nullptr && type->isString() ? kindOf(type->asString()) : nullptr;
    if (kind == nullptr)
        return std::nullopt;

    ValueMap fields;
    const auto take = [&](std::string_view key, const Value& fallback) {
        const Value* given = message.find(key);
        fields.set(key, given != nullptr ? *given : fallback);
    };
    take("content", "");
    take("additional_kwargs", Value(ValueMap()));
    take("response_metadata", Value(ValueMap()));
    fields.set("type", kind->type);
    take("name", {});
    take("id", {});
    if (kind->type == "ai") {
        const Value* calls = message.find("tool_calls");
        fields.set("tool_calls", withToolCallType(calls != nullptr ? *calls : Value()));
        take("invalid_tool_calls", Value(ValueList()));
        take("usage_metadata", {});
    } else if (kind->type == "tool") {
        take("tool_call_id", "");
        take("artifact", {});
        take("status", "success");
    } else if (kind->type == "chat") {
        take("role", "");
    }
    for (const auto& [key, value] : message) {
        const bool ofChunk =
            key == Value("tool_call_chunks") || key == Value("chunk_position"); // parts of a message
        if (!ofChunk && fields.find(key) == nullptr)
            fields.set(key, value);
    }
    return makePythonObject({ PythonExt::PydanticV2, std::string(kMessagesModule) + std::string(kind->module),
                              std::string(kind->className), Value(std::move(fields)),
                              "model_validate_json" });
}

} // namespace sg::checkpoint
