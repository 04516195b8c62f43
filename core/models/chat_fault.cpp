#include "core/models/chat_fault.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/models/tool_arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace sg::models {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestWait{ 60'000 }; // that a server may ask for

struct StatusName {
    int status;
    std::string_view type;
    bool isRetryable;
    std::string_view hint; // what to do
};
constexpr std::array kStatuses{
    StatusName{ 400, "BadRequestError", false, "" },
    StatusName{ 401, "AuthenticationError", false, "the key is missing or wrong: see the node's \"key\"" },
    StatusName{ 403, "PermissionDeniedError", false, "the key may not do this" },
    StatusName{ 404, "NotFoundError", false, "check the node's \"base_url\" and \"model\"" },
    StatusName{ 408, "APITimeoutError", true, "" },
    StatusName{ 409, "ConflictError", true, "" },
    StatusName{ 413, "RequestTooLargeError", false, "fewer or shorter messages would fit" },
    StatusName{ 422, "UnprocessableEntityError", false, "" },
    StatusName{ 429, "RateLimitError", true, "" },
};

// Reads {"error": {"message", "type", "code"}}, {"error": "text"}, {"type": "error", "error": {…}} or text.
struct ServerError {
    std::string message;
    std::string type;
    std::string code; // also where it is a number
};

ServerError serverErrorOf(const Value& error)
{
    ServerError found;
    if (error.isString()) {
        found.message = error.asString();
        return found;
    }
    found.message = error.stringOr("message", "");
    found.type = error.stringOr("type", "");
    const Value& code = error["code"];
    found.code = code.isString() ? code.asString() : code.isInt() ? std::to_string(code.asInt()) : "";
    if (found.message.empty())
        found.message = toJson(error);
    return found;
}

ServerError readBody(std::string_view body)
{
    const ReadEvent read = readEventJson(body);
    if (read.value && read.value->isMap()) {
        const Value& error = (*read.value)["error"];
        return serverErrorOf(error.isNull() ? *read.value : error);
    }
    return { shortened(body), {}, {} };
}

std::string_view headerOf(const std::vector<std::pair<std::string, std::string>>& headers,
                          std::string_view name)
{
    for (const auto& [key, value] : headers)
        if (key == name)
            return value;
    return {};
}

std::optional<double> numberOf(std::string_view text)
{
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || failed != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

// Returns the wait of "retry-after-ms", else of seconds or an HTTP date in "retry-after". Longer than a
// minute counts as a minute.
std::optional<milliseconds> askedWait(const std::vector<std::pair<std::string, std::string>>& headers,
                                      WallTime now)
{
    std::optional<double> wait = numberOf(headerOf(headers, "retry-after-ms"));
    const std::string after(headerOf(headers, "retry-after"));
    if (!wait)
        if (const auto seconds = numberOf(after))
            wait = *seconds * 1000;
    std::tm parts{};
    if (!wait && !after.empty() && ::strptime(after.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts) != nullptr)
        wait = std::chrono::duration<double, std::milli>(
                   std::chrono::system_clock::from_time_t(::timegm(&parts)) - now)
                   .count();
    if (!wait || *wait < 0)
        return std::nullopt;
    return std::min(kLongestWait, milliseconds(static_cast<std::int64_t>(std::min(*wait, 1e9))));
}

bool isQuota(const ServerError& error)
{
    return error.code == "insufficient_quota" || error.type == "insufficient_quota";
}

bool isTooLong(const ServerError& error)
{
    return error.code == "context_length_exceeded"
        || error.message.find("maximum context length") != std::string::npos
        || error.message.find("prompt is too long") != std::string::npos;
}

// Returns the status for types of Anthropic's and of LiteLLM's errors that come without one.
int statusOfType(const ServerError& error)
{
    if (const auto code = numberOf(error.code); code && *code >= 400 && *code < 600)
        return static_cast<int>(*code);
    constexpr std::array<std::pair<std::string_view, int>, 11> kTypes{ {
        { "invalid_request_error", 400 },
        { "authentication_error", 401 },
        { "permission_error", 403 },
        { "not_found_error", 404 },
        { "request_too_large", 413 },
        { "rate_limit_error", 429 },
        { "throttling_error", 429 },
        { "insufficient_quota", 429 },
        { "timeout_error", 504 },
        { "overloaded_error", 529 },
        { "context_length_exceeded", 400 },
    } };
    for (const auto& [type, status] : kTypes)
        if (error.type == type)
            return status;
    return 500;
}

ChatFault faultOf(int status, const ServerError& error)
{
    ChatFault fault;
    const auto* known = std::ranges::find(kStatuses, status, &StatusName::status);
    std::string hint;
    if (known != kStatuses.end()) {
        fault.type = known->type;
        fault.isRetryable = known->isRetryable;
        hint = known->hint;
    } else if (status >= 500) {
        fault.type = "InternalServerError";
        fault.isRetryable = true;
    } else {
        fault.type = "APIStatusError";
    }
    if (isQuota(error)) {
        fault.isRetryable = false;
        hint = "the account's quota is used up; trying again does not help";
    } else if (status == 400 && isTooLong(error)) {
        fault.type = "ContextLengthError";
        hint = "the messages are longer than the model reads; shorten them or choose another model";
    }
    fault.message = "status " + std::to_string(status)
        + (error.message.empty() ? "" : ": " + shortened(error.message))
        + (error.code.empty() || error.code == std::to_string(status)
               ? ""
               : " (" + shortened(error.code, 60) + ")")
        + (hint.empty() ? "" : ". " + hint);
    fault.refusesUsage = status == 400
        && (error.message.find("stream_options") != std::string::npos
            || error.message.find("include_usage") != std::string::npos);
    return fault;
}

} // namespace

std::string shortened(std::string_view text, std::size_t most)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    text = first == std::string_view::npos ? std::string_view() : text.substr(first);
    const std::string cut = validUtf8(text.substr(0, std::min(text.find_first_of("\r\n"), most)));
    return printableText(cut) + (cut.size() < text.size() && text.size() > most ? "…" : "");
}

ChatFault statusFault(int status, const std::vector<std::pair<std::string, std::string>>& headers,
                      std::string_view body, WallTime now)
{
    ChatFault fault = faultOf(status, readBody(body));
    fault.body = validUtf8(body.substr(0, 4096));
    fault.wait = askedWait(headers, now);
    const std::string_view word = headerOf(headers, "x-should-retry");
    if (word == "true")
        fault.isRetryable = true;
    else if (word == "false")
        fault.isRetryable = false;
    return fault;
}

ChatFault streamFault(const Value& error, const std::string& partial)
{
    const ServerError told = serverErrorOf(error);
    ChatFault fault = faultOf(statusOfType(told), told);
    fault.message = "the server broke off with an error: " + shortened(told.message)
        + (told.type.empty() ? "" : " (" + shortened(told.type, 60) + ")");
    if (statusOfType(told) == 500)
        fault.type = "APIError";
    fault.partial = partial;
    fault.hadBegun = true;
    fault.body = cutText(toJson(error), 4096);
    return fault;
}

ChatFault brokenReply(std::string why, const std::string& partial)
{
    return { "APIResponseValidationError", std::move(why), true, std::nullopt, partial, {}, false, true };
}

ChatFault cutReply(const std::string& partial)
{
    return { "APIConnectionError",
             "the connection ended before the answer did; what had come is in the log and is no message",
             true,
             std::nullopt,
             partial,
             {},
             false,
             true };
}

ChatFault tooLargeReply(const std::string& partial)
{
    return { "LimitError",
             "the answer is larger than 10 MB; it was broken off",
             false,
             std::nullopt,
             cutText(partial, 4096),
             {},
             false,
             true };
}

std::chrono::milliseconds retryDelay(const ChatFault& fault, int tried, double chance)
{
    if (fault.wait)
        return *fault.wait;
    const double seconds = std::min(8.0, 0.5 * std::pow(2.0, std::clamp(tried, 0, 10)));
    return milliseconds(
        static_cast<std::int64_t>(seconds * 1000 * (1 - 0.25 * std::clamp(chance, 0.0, 1.0))));
}

} // namespace sg::models
