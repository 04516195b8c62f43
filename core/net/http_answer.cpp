#include "core/net/http_answer.h"

#include "core/base/json.h"

#include <algorithm>
#include <charconv>

namespace sg::net {
namespace {

constexpr std::string_view kSafe = "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";

const char* phraseOf(int status)
{
    switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    default: return "Answer";
    }
}

bool number(std::string_view text, std::uint64_t& value)
{
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && failed == std::errc() && end == text.data() + text.size();
}

} // namespace

HttpAnswer textAnswer(int status, std::string text, std::string headers)
{
    HttpAnswer answer;
    answer.status = status;
    answer.headers = "Content-Type: text/plain; charset=utf-8\r\n" + std::string(kSafe) + std::move(headers);
    answer.body = std::make_shared<const std::string>(std::move(text));
    return answer;
}

HttpAnswer jsonAnswer(int status, const Value& value, std::string headers)
{
    HttpAnswer answer;
    answer.status = status;
    answer.headers = "Content-Type: application/json\r\n" + std::string(kSafe) + std::move(headers);
    answer.body = std::make_shared<const std::string>(toJson(value));
    return answer;
}

std::string answerHead(int status, std::string_view headers, HttpFraming framing, std::uint64_t length,
                       bool closes, const HttpHead& request)
{
    std::string text = "HTTP/1.1 " + std::to_string(status) + ' ' + phraseOf(status) + "\r\n";
    text += headers;
    if (framing == HttpFraming::Length)
        text += "Content-Length: " + std::to_string(length) + "\r\n";
    else if (framing == HttpFraming::Chunked)
        text += "Transfer-Encoding: chunked\r\n";
    text += closes           ? "Connection: close\r\n\r\n"
        : request.minor == 0 ? "Connection: keep-alive\r\n\r\n"
                             : "\r\n";
    return text;
}

HttpRange parseRange(const std::string* header, std::uint64_t size)
{
    using Kind = HttpRange::Kind;
    if (header == nullptr || !header->starts_with("bytes=") || header->find(',') != std::string::npos)
        return {};
    const std::string_view text = std::string_view(*header).substr(6);
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return {};
    const std::string_view from = text.substr(0, dash);
    const std::string_view to = text.substr(dash + 1);
    std::uint64_t first = 0;
    std::uint64_t last = size;
    if (from.empty()) {
        std::uint64_t count = 0;
        if (!number(to, count))
            return {};
        first = size - std::min(count, size);
        return { count == 0 || size == 0 ? Kind::Impossible : Kind::Part, first, size - first };
    }
    if (!number(from, first) || (!to.empty() && (!number(to, last) || last < first)))
        return {};
    if (first >= size)
        return { Kind::Impossible, 0, 0 };
    last = to.empty() ? size - 1 : std::min(last, size - 1);
    return { Kind::Part, first, last - first + 1 };
}

std::string contentRange(const HttpRange& range, std::uint64_t size)
{
    if (range.kind == HttpRange::Kind::Impossible)
        return "Content-Range: bytes */" + std::to_string(size) + "\r\n";
    return "Content-Range: bytes " + std::to_string(range.first) + '-'
        + std::to_string(range.first + range.length - 1) + '/' + std::to_string(size) + "\r\n";
}

std::string_view pathOf(std::string_view target)
{
    return target.substr(0, target.find('?'));
}

bool percentDecoded(std::string_view text, std::string& decoded, bool isForm)
{
    decoded.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && isForm) {
            decoded += ' ';
            continue;
        }
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        unsigned byte = 0;
        if (i + 2 >= text.size())
            return false;
        const auto [end, failed] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
        if (failed != std::errc() || end != text.data() + i + 3)
            return false;
        decoded += static_cast<char>(byte);
        i += 2;
    }
    return true;
}

std::optional<std::string> queryField(std::string_view target, std::string_view name)
{
    const std::size_t mark = target.find('?');
    if (mark == std::string_view::npos)
        return std::nullopt;
    for (std::string_view query = target.substr(mark + 1); !query.empty();) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view part = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const std::size_t equal = std::min(part.find('='), part.size());
        std::string decoded;
        if (!percentDecoded(part.substr(0, equal), decoded, true) || decoded != name)
            continue;
        if (!percentDecoded(part.substr(std::min(equal + 1, part.size())), decoded, true))
            return std::nullopt;
        return decoded;
    }
    return std::nullopt;
}

} // namespace sg::net
