#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sg::models {

// The two ways to talk to a chat model over HTTP.
enum class Wire { OpenAi, Anthropic };

struct ChatTool {
    std::string name;
    std::string description;
    Value parameters; // JSON Schema of an object
};

// One question to a model. Values alone: the same request makes the same body.
struct ChatRequest {
    std::string model;
    ValueList messages; // LangChain's maps: {"content", "type", …}, system messages included
    std::vector<ChatTool> tools;
    Value toolChoice; // null, "auto", "none", "any", or a tool's name
    std::string schemaName = "answer";
    Value schema; // JSON Schema that the answer must match; null: any text
    std::optional<double> temperature;
    std::optional<std::int64_t> maxTokens;
    bool namesCompletionTokens = false; // "max_completion_tokens" in place of "max_tokens"
    bool streams = true;
    bool asksUsage = true; // of a stream, of servers that know "stream_options"
    ValueMap options; // further fields of the wire, as they are

    // On Anthropic's wire a stream's content is kept as a list of blocks, as langchain-anthropic keeps it
    // where tools or thinking are asked for, and as text elsewhere.
    [[nodiscard]] bool keepsBlocks() const
    {
        const Value* thinking = options.find("thinking");
        return !tools.empty() || options.find("tools") != nullptr // of the server
            || (thinking != nullptr
                && (thinking->stringOr("type", "") == "enabled"
                    || thinking->stringOr("type", "") == "adaptive"));
    }
};

} // namespace sg::models
