#include "core/models/token_estimate.h"

#include "core/base/json.h"

#include <string>

namespace sg::models {
namespace {

constexpr std::size_t kBytesPerToken = 4;
constexpr std::size_t kTokensOfAPicture = 1000;

std::size_t bytesOf(const Value& content)
{
    if (content.isString())
        return content.asString().size();
    if (!content.isList())
        return 0;
    std::size_t bytes = 0;
    for (const Value& block : content.asList()) {
        const std::string type = block.stringOr("type", "");
        if (type == "image" || type == "image_url")
            bytes += kTokensOfAPicture * kBytesPerToken;
        else if (type != "tool_use") // it is among the message's calls, too
            bytes += block.isString() ? block.asString().size() : toJson(block).size();
    }
    return bytes;
}

} // namespace

std::int64_t textTokens(std::string_view text)
{
    return static_cast<std::int64_t>(text.size() / kBytesPerToken);
}

std::int64_t estimatedTokens(const Value& message)
{
    std::size_t bytes = bytesOf(message["content"]);
    for (const char* key : { "tool_calls", "invalid_tool_calls" })
        if (const Value& calls = message[key]; calls.isList())
            for (const Value& call : calls.asList())
                bytes += call.stringOr("name", "").size()
                    + (call["args"].isString() ? call["args"].asString().size()
                                               : toJson(call["args"]).size());
    return static_cast<std::int64_t>(bytes / kBytesPerToken);
}

} // namespace sg::models
