#include "core/servers/mcp/sealed_state.h"

#include "core/base/hmac.h"
#include "core/base/json.h"

#include <chrono>

namespace sg::servers {
namespace {

std::int64_t secondsOf(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string markOf(std::string_view key, std::string_view purpose, std::string_view text)
{
    return hmacSha256(key, "mcp state\n" + std::string(purpose) + "\n" + std::string(text));
}

} // namespace

std::string sealed(std::string_view key, std::string_view purpose, const Value& value, WallTime expires)
{
    const std::string text = toBase64Url(toJson(Value::list({ secondsOf(expires), value })));
    return text + "." + toBase64Url(markOf(key, purpose, text));
}

std::optional<Value> unsealed(std::string_view key, std::string_view purpose, std::string_view text,
                              WallTime now)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    std::string mark;
    std::string json;
    if (!fromBase64Url(text.substr(dot + 1), mark)
        || !isSameSecretly(mark, markOf(key, purpose, text.substr(0, dot)))
        || !fromBase64Url(text.substr(0, dot), json))
        return std::nullopt;
    auto value = parseJson(json);
    if (!value || !value->isList() || value->asList().size() != 2
        || (*value)[std::size_t{ 0 }].isInt() == false || (*value)[std::size_t{ 0 }].asInt() < secondsOf(now))
        return std::nullopt;
    return (*value)[std::size_t{ 1 }];
}

} // namespace sg::servers
