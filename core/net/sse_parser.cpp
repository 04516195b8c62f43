#include "core/net/sse_parser.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace sg::net {
namespace {

// std::string_view::find_first_of() calls a function for each byte.
std::size_t endOfLine(std::string_view bytes)
{
    const void* feed = std::memchr(bytes.data(), '\n', bytes.size());
    const std::size_t size = feed == nullptr
        ? bytes.size()
        : static_cast<std::size_t>(static_cast<const char*>(feed) - bytes.data());
    const void* carriage = std::memchr(bytes.data(), '\r', size);
    if (carriage != nullptr)
        return static_cast<std::size_t>(static_cast<const char*>(carriage) - bytes.data());
    return feed == nullptr ? std::string_view::npos : size;
}

} // namespace

Result<void> SseParser::push(std::string_view bytes, const Sink& sink)
{
    while (!bytes.empty()) {
        if (m_wasReturn) {
            m_wasReturn = false;
            if (bytes.front() == '\n') {
                bytes.remove_prefix(1);
                continue;
            }
        }
        const std::size_t end = endOfLine(bytes);
        const std::string_view part = bytes.substr(0, end);
        if (m_line.size() + part.size() > m_limits.line)
            return Error{ Errc::LimitExceeded,
                          "the stream has a line of more than " + std::to_string(m_limits.line) + " bytes" };
        if (end == std::string_view::npos) {
            m_line.append(part);
            return {};
        }
        m_wasReturn = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        Result<void> taken;
        if (m_line.empty()) {
            taken = takeLine(part, sink);
        } else {
            m_line.append(part);
            taken = takeLine(m_line, sink);
            m_line.clear();
        }
        if (!taken)
            return taken;
    }
    return {};
}

void SseParser::begin(const std::string& lastId)
{
    const auto retry = m_retry;
    *this = SseParser(m_limits);
    m_id = lastId;
    m_lastId = lastId;
    m_retry = retry;
}

Result<void> SseParser::takeLine(std::string_view line, const Sink& sink)
{
    if (m_isFirst && line.starts_with("\xEF\xBB\xBF"))
        line.remove_prefix(3);
    m_isFirst = false;
    if (line.empty())
        return dispatch(sink);
    const std::size_t colon = line.find(':');
    if (colon == 0)
        return {};
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (field == "event") {
        m_name = value;
    } else if (field == "data") {
        if (m_data.size() + value.size() + 1 > m_limits.event)
            return Error{ Errc::LimitExceeded,
                          "the stream has an event of more than " + std::to_string(m_limits.event)
                              + " bytes" };
        if (m_hasData)
            m_data += '\n';
        m_data += value;
        m_hasData = true;
    } else if (field == "id") {
        if (value.find('\0') == std::string_view::npos)
            m_id = value;
    } else if (field == "retry") {
        std::int64_t time = 0;
        const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), time);
        if (failed == std::errc() && end == value.data() + value.size() && time >= 0)
            m_retry = std::chrono::milliseconds(time);
    }
    return {};
}

Result<void> SseParser::dispatch(const Sink& sink)
{
    m_lastId = m_id;
    const bool goesOn = !m_hasData || sink({ m_name, m_data });
    m_name.clear();
    m_data.clear();
    m_hasData = false;
    if (!goesOn)
        return Error{ Errc::Cancelled, "the rest of the stream is not wanted" };
    return {};
}

} // namespace sg::net
