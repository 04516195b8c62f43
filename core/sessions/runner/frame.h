#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The runner's frames (resources/sandbox/PROTOCOL.md): 4 bytes big-endian length, then one MessagePack map.
namespace sg::sessions {

inline constexpr std::size_t kMaxFrameBytes = 64U << 20; // until a session's own limit is known
inline constexpr std::size_t kLargestFrameBytes = (1U << 30) + (1U << 20); // that such a limit may allow

// One message from the runner. It comes from inside the sandbox, and only `event` and `id` have been checked.
struct Frame {
    std::string event;
    std::int64_t id = 0;
    Value body;
    std::size_t bytes = 0; // its length on the wire
};

// The error for a message that violates the runner's protocol.
Error brokenProtocol(std::string_view what);

// Errc::LimitExceeded where the message does not fit into a frame of `limit` bytes.
Result<std::string> encodeFrame(const ValueMap& message, std::size_t limit = kMaxFrameBytes);

// FrameReader cuts a stream into frames. Errc::Corrupt at the first violation; the stream is lost then.
class FrameReader {
public:
    void append(std::string_view bytes) { m_data.append(bytes); }
    // False: the next frame is not complete yet. A frame over `limit` is a violation.
    Result<bool> next(Frame& frame, std::size_t limit = kMaxFrameBytes);

private:
    std::string m_data;
    std::size_t m_start = 0; // bytes before it are taken already
};

} // namespace sg::sessions
