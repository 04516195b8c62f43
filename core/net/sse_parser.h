#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sg::net {

// Lives until the function that gets it returns.
struct SseEvent {
    std::string_view name; // of "event:"; empty where there was none
    std::string_view data; // its lines, with "\n" between them
};

// Server-sent events from bytes that come in any cut, as the HTML standard reads them: lines end in LF, CR or
// CRLF, a byte order mark at the start is skipped, comments and fields that are not known are ignored, an
// event without data is none, and one that the end of the stream cuts off is dropped.
class SseParser {
public:
    struct Limits {
        std::size_t line = 10U << 20;
        std::size_t event = 10U << 20; // all data of one event
    };
    using Sink = std::function<bool(const SseEvent&)>; // false: nothing more is wanted

    SseParser() = default;
    explicit SseParser(Limits limits)
        : m_limits(limits)
    {
    }

    // Errc::LimitExceeded: a line or event without end. Errc::Cancelled: the sink wants no more.
    Result<void> push(std::string_view bytes, const Sink& sink);

    // A further part of the stream begins, after the event of that id; what an earlier one cut off is
    // dropped.
    void begin(const std::string& lastId);
    // The newest id among the events that are whole, by which a server finds the rest; empty: there was none.
    [[nodiscard]] const std::string& lastId() const { return m_lastId; }
    // The pause that the server asks for before the stream is asked for again.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return m_retry; }

private:
    Result<void> takeLine(std::string_view line, const Sink& sink);
    Result<void> dispatch(const Sink& sink);

    Limits m_limits; // not const: clang 14 would then delete the default constructor
    std::string m_line; // begun
    std::string m_name;
    std::string m_data;
    std::string m_id; // of the event that is begun
    std::string m_lastId;
    std::optional<std::chrono::milliseconds> m_retry;
    bool m_hasData = false;
    bool m_isFirst = true; // no line has come yet
    bool m_wasReturn = false; // the last byte was CR: a LF after it ends no other line
};

} // namespace sg::net
