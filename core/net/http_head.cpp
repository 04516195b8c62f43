#include "core/net/http_head.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sg::net {
namespace {

using State = HttpHeadResult::State;

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kLongestMethod = 16;

HttpHeadResult refused(int status, const char* why)
{
    return { State::Refused, 0, status, why };
}

bool isTokenLetter(char each)
{
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9')
        || std::string_view("!#$%&'*+-.^_`|~").find(each) != std::string_view::npos;
}

bool isToken(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isTokenLetter);
}

char lower(char each)
{
    return each >= 'A' && each <= 'Z' ? static_cast<char>(each + ('a' - 'A')) : each;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool isSameWord(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool listsWord(std::string_view list, std::string_view word)
{
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (isSameWord(trimmed(list.substr(0, end)), word))
            return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

// Returns null if the line is fine, else the reason, with `status` set.
const char* readRequestLine(std::string_view line, HttpHead& head, const HttpHeadLimits& limits, int& status)
{
    status = 400;
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || last <= first)
        return "the first line is no request";
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!isToken(method) || method.size() > kLongestMethod)
        return "the method is none";
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        status = version.starts_with("HTTP/") ? 505 : 400;
        return "HTTP/1.1 and HTTP/1.0 are spoken here";
    }
    if (target.size() > limits.target) {
        status = 414;
        return "the target is too long";
    }
    if (target.empty() || !std::ranges::all_of(target, [](char each) { return each > 0x20 && each < 0x7f; }))
        return "the target holds what none may";
    head.method = method;
    head.target = target;
    head.minor = version.back() - '0';
    return nullptr;
}

const char* readHeader(std::string_view line, HttpHead& head)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !isToken(line.substr(0, colon)))
        return "a header line is none"; // refuses folded lines and a space before the colon, too
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (std::ranges::any_of(value, [](char each) {
            const auto byte = static_cast<unsigned char>(each);
            return (byte < 0x20 && each != '\t') || byte == 0x7f;
        }))
        return "a header holds control characters";
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(), lower);
    for (const std::string_view once : { "host", "content-length", "transfer-encoding", "range" })
        if (name == once && head.find(once) != nullptr)
            return "a header that stands alone comes twice";
    head.headers.emplace_back(std::move(name), value);
    return nullptr;
}

const char* readFraming(HttpHead& head, int& status)
{
    status = 400;
    const std::string* const length = head.find("content-length");
    const std::string* const encoding = head.find("transfer-encoding");
    if (length != nullptr && encoding != nullptr)
        return "a length beside an encoding";
    if (length != nullptr) {
        std::uint64_t number = 0;
        const auto [end, failed] = std::from_chars(length->data(), length->data() + length->size(), number);
        if (failed != std::errc() || end != length->data() + length->size() || length->size() > 18)
            return "the length is no number";
        head.contentLength = number;
    }
    if (encoding != nullptr) {
        if (!isSameWord(*encoding, "chunked")) {
            status = 501;
            return "that encoding is not spoken here";
        }
        head.isChunked = true;
    }
    if (head.minor == 1 && head.find("host") == nullptr)
        return "a request names its host";
    return nullptr;
}

} // namespace

const std::string* HttpHead::find(std::string_view name) const
{
    const auto found =
        std::ranges::find(headers, name, [](const auto& each) { return std::string_view(each.first); });
    return found == headers.end() ? nullptr : &found->second;
}

bool HttpHead::keepsAlive() const
{
    const std::string* const connection = find("connection");
    if (connection != nullptr && listsWord(*connection, "close"))
        return false;
    return minor == 1 || (connection != nullptr && listsWord(*connection, "keep-alive"));
}

HttpHeadResult parseHttpHead(std::string_view text, HttpHead& head, const HttpHeadLimits& limits)
{
    head = {};
    const std::string_view seen = text.substr(0, limits.bytes);
    const std::size_t end = seen.find("\r\n\r\n");
    if (end == std::string_view::npos) {
        // A text that can never become a head is refused at once.
        for (std::size_t at = seen.find('\n'); at != std::string_view::npos; at = seen.find('\n', at + 1))
            if (at == 0 || seen[at - 1] != '\r')
                return refused(400, "lines end with carriage return and line feed");
        if (text.size() >= limits.bytes)
            return refused(431, "the head is too long");
        if (seen.find(kLineEnd) == std::string_view::npos && seen.size() > limits.target + 64)
            return refused(414, "the target is too long");
        return {};
    }
    int status = 400;
    std::string_view lines = seen.substr(0, end);
    for (bool isFirst = true; isFirst || !lines.empty(); isFirst = false) {
        const std::size_t length = std::min(lines.find(kLineEnd), lines.size());
        const std::string_view line = lines.substr(0, length);
        if (line.find_first_of("\r\n") != std::string_view::npos || line.find('\0') != std::string_view::npos)
            return refused(400, "lines end with carriage return and line feed");
        const char* const why =
            isFirst ? readRequestLine(line, head, limits, status) : readHeader(line, head);
        if (why != nullptr)
            return refused(isFirst ? status : 400, why);
        if (head.headers.size() > limits.headers)
            return refused(431, "there are too many headers");
        lines.remove_prefix(std::min(length + kLineEnd.size(), lines.size()));
    }
    if (const char* const why = readFraming(head, status))
        return refused(status, why);
    return { State::Whole, end + 4, 0, "" };
}

} // namespace sg::net
