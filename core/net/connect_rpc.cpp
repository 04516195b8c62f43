#include "core/net/connect_rpc.h"

#include "core/base/json.h"

#include <array>

namespace sg::net {
namespace {

constexpr std::size_t kHead = 5;

constexpr std::array<std::int16_t, 256> digits()
{
    std::array<std::int16_t, 256> made{};
    made.fill(-1);
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        made[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int16_t>(i);
    made['-'] = 62;
    made['_'] = 63;
    return made;
}
constexpr auto kDigits = digits();

} // namespace

std::string rpcEnvelope(std::uint8_t flags, std::string_view json)
{
    std::string made(1, static_cast<char>(flags));
    made.reserve(kHead + json.size());
    for (const int shift : { 24, 16, 8, 0 })
        made += static_cast<char>((json.size() >> static_cast<unsigned>(shift)) & 0xffU);
    return made += json;
}

Result<std::optional<RpcMessage>> RpcReader::next()
{
    const std::string_view rest = std::string_view(m_in).substr(m_at);
    if (rest.size() < kHead)
        return std::optional<RpcMessage>();
    std::size_t size = 0;
    for (std::size_t i = 1; i < kHead; ++i)
        size = size << 8U | static_cast<unsigned char>(rest[i]);
    const auto flags = static_cast<std::uint8_t>(rest[0]);
    if (size > m_most || (flags & kEnvelopeCompressed) != 0)
        return Error{ Errc::Corrupt, "a message is too long, or compressed" };
    if (rest.size() - kHead < size)
        return std::optional<RpcMessage>();
    auto value = parseJson(rest.substr(kHead, size));
    if (!value)
        return Error{ Errc::Corrupt, "a message is no JSON: " + value.error().message };
    if (!value->isMap())
        return Error{ Errc::Corrupt, "a message is no JSON object" };
    m_at += kHead + size;
    if (m_at == m_in.size()) {
        m_in.clear();
        m_at = 0;
    } else if (m_at > m_in.size() / 2) {
        m_in.erase(0, m_at);
        m_at = 0;
    }
    return std::optional(RpcMessage{ (flags & kEnvelopeEnd) != 0, std::move(*value) });
}

std::string fromBase64(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char each : text) {
        if (each == '=')
            break;
        const int value = kDigits[static_cast<unsigned char>(each)];
        if (value < 0)
            return {};
        bits = bits << 6U | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xffU);
        }
    }
    return bytes;
}

} // namespace sg::net
