#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Connect RPC with JSON, as both sides of it write it: a stream is a sequence of envelopes, each one byte of
// flags, four of length (big-endian) and that many bytes of JSON.
namespace sg::net {

inline constexpr std::uint8_t kEnvelopeCompressed = 1;
inline constexpr std::uint8_t kEnvelopeEnd = 2; // the last one: {} or {"error": {"code", "message"}}

std::string rpcEnvelope(std::uint8_t flags, std::string_view json);

struct RpcMessage {
    bool isEnd = false;
    Value value; // an object
};

// Takes a stream apart, in any cut. One thread at a time.
class RpcReader {
public:
    explicit RpcReader(std::size_t mostMessage = 16U << 20)
        : m_most(mostMessage)
    {
    }
    void add(std::string_view bytes) { m_in += bytes; }
    // nullopt: the next message is not whole yet. Errc::Corrupt: too long, compressed, or no object.
    Result<std::optional<RpcMessage>> next();
    [[nodiscard]] bool isEmpty() const { return m_at == m_in.size(); }

private:
    const std::size_t m_most;
    std::string m_in;
    std::size_t m_at = 0;
};

std::string fromBase64(std::string_view text); // standard alphabet or that of URLs; empty where it is neither

} // namespace sg::net
