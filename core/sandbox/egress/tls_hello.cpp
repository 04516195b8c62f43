#include "core/sandbox/egress/tls_hello.h"

#include <cstdint>
#include <optional>

namespace sg::sandbox::egress {
namespace {

using State = TlsHello::State;

constexpr unsigned kHandshake = 22;
constexpr unsigned kClientHello = 1;
constexpr unsigned kServerName = 0;
constexpr unsigned kEncryptedHello = 0xfe0d; // "encrypted_client_hello"
constexpr std::size_t kLongestRecord = 16384;

// Reads big-endian numbers and runs of bytes; after a short read all further reads fail.
class Reader {
public:
    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }
    std::size_t number(int bytes)
    {
        std::size_t value = 0;
        for (const char each : take(static_cast<std::size_t>(bytes)))
            value = value << 8U | static_cast<std::uint8_t>(each);
        return value;
    }
    std::string_view take(std::size_t size)
    {
        if (size > m_bytes.size()) {
            m_isGood = false;
            m_bytes = {};
            return {};
        }
        const std::string_view taken = m_bytes.substr(0, size);
        m_bytes.remove_prefix(size);
        return taken;
    }
    std::string_view counted(int bytes) { return take(number(bytes)); }
    [[nodiscard]] bool isGood() const { return m_isGood; }
    [[nodiscard]] bool isAtEnd() const { return m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_isGood = true;
};

TlsHello broken()
{
    return { State::Broken, false, {}, false };
}

// The handshake message in the records; nullopt: they hold none.
std::optional<std::string> messageIn(std::string_view bytes, bool& needsMore)
{
    std::string message;
    std::size_t wanted = 4;
    needsMore = false;
    while (message.size() < wanted) {
        if (bytes.size() < 5) {
            needsMore = true;
            // Reported as soon as it can be known.
            if (!bytes.empty() && static_cast<std::uint8_t>(bytes[0]) != kHandshake)
                return std::nullopt;
            return message;
        }
        Reader head(bytes.substr(0, 5));
        const std::size_t type = head.number(1);
        const std::size_t version = head.number(2);
        const std::size_t length = head.number(2);
        if (type != kHandshake || version >> 8U != 3 || length == 0 || length > kLongestRecord)
            return std::nullopt;
        const std::string_view body = bytes.substr(5, length);
        message += body;
        if (message.size() >= 4) {
            Reader size(message);
            if (size.number(1) != kClientHello)
                return std::nullopt;
            wanted = 4 + size.number(3);
            // Data after the message in its record is refused as soon as it can be known, even of a partial
            // record.
            if (wanted > kLongestHello || message.size() - body.size() + length > wanted)
                return std::nullopt;
        }
        if (body.size() < length) {
            needsMore = message.size() < wanted;
            return message;
        }
        bytes.remove_prefix(5 + length);
    }
    return message.size() == wanted ? std::optional(message) : std::nullopt;
}

bool readName(std::string_view extension, TlsHello& hello)
{
    Reader list(Reader(extension).counted(2));
    const std::size_t kind = list.number(1);
    const std::string_view name = list.counted(2);
    if (!list.isGood() || !list.isAtEnd() || kind != 0 || name.empty() || hello.hasName)
        return false;
    hello.hasName = true;
    for (const char each : name)
        hello.name += each >= 'A' && each <= 'Z' ? static_cast<char>(each + 32) : each;
    return true;
}

} // namespace

TlsHello parseTlsHello(std::string_view bytes)
{
    bool needsMore = false;
    const auto message = messageIn(bytes.substr(0, kLongestHello + 1024), needsMore);
    if (!message)
        return broken();
    if (needsMore)
        return bytes.size() > kLongestHello ? broken() : TlsHello();
    TlsHello hello;
    hello.state = State::Whole;
    Reader reader(std::string_view(*message).substr(4));
    reader.take(34); // version and random
    reader.counted(1); // session
    reader.counted(2); // ciphers
    reader.counted(1); // compressions
    if (!reader.isGood())
        return broken();
    if (reader.isAtEnd())
        return hello; // an old client, without extensions
    Reader extensions(reader.counted(2));
    if (!reader.isGood() || !reader.isAtEnd())
        return broken();
    while (!extensions.isAtEnd()) {
        const std::size_t type = extensions.number(2);
        const std::string_view body = extensions.counted(2);
        if (!extensions.isGood() || (type == kServerName && !readName(body, hello)))
            return broken();
        hello.isEncrypted = hello.isEncrypted || type == kEncryptedHello;
    }
    return hello;
}

} // namespace sg::sandbox::egress
