#include "core/checkpoint/sqlite/large_row.h"

#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/sqlite/blob_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sg::checkpoint {
namespace {

constexpr std::int64_t kPieceBytes = 1 << 18; // bytes that are read at once
constexpr std::int64_t kMostCopied = std::int64_t{ 64 }
    << 20U; // of what is not the state's: else it is read whole
constexpr char kNil = '\xC0';

// The bytes that follow the first byte of a MessagePack value.
struct Shape {
    int lengthBytes = 0; // of a length that follows
    std::int64_t bytes = 0; // that follow it, in addition to those of a length
    std::int64_t items = 0; // values that follow
    enum class Length { None, Bytes, Items, Pairs } length = Length::None;
};

Shape shapeOf(unsigned tag)
{
    using L = Shape::Length;
    if (tag < 0x80 || tag >= 0xE0)
        return {};
    if (tag < 0x90)
        return { 0, 0, 2 * static_cast<std::int64_t>(tag & 15U), L::None };
    if (tag < 0xA0)
        return { 0, 0, static_cast<std::int64_t>(tag & 15U), L::None };
    if (tag < 0xC0)
        return { 0, static_cast<std::int64_t>(tag & 31U), 0, L::None };
    switch (tag) {
    case 0xC4:
    case 0xD9: return { 1, 0, 0, L::Bytes };
    case 0xC5:
    case 0xDA: return { 2, 0, 0, L::Bytes };
    case 0xC6:
    case 0xDB: return { 4, 0, 0, L::Bytes };
    case 0xC7: return { 1, 1, 0, L::Bytes }; // an Ext has its type behind the length
    case 0xC8: return { 2, 1, 0, L::Bytes };
    case 0xC9: return { 4, 1, 0, L::Bytes };
    case 0xCC:
    case 0xD0: return { 0, 1, 0, L::None };
    case 0xCD:
    case 0xD1: return { 0, 2, 0, L::None };
    case 0xCA:
    case 0xCE:
    case 0xD2: return { 0, 4, 0, L::None };
    case 0xCB:
    case 0xCF:
    case 0xD3: return { 0, 8, 0, L::None };
    case 0xDC: return { 2, 0, 0, L::Items };
    case 0xDD: return { 4, 0, 0, L::Items };
    case 0xDE: return { 2, 0, 0, L::Pairs };
    case 0xDF: return { 4, 0, 0, L::Pairs };
    default: break;
    }
    if (tag >= 0xD4 && tag <= 0xD8)
        return { 0, 1 + (std::int64_t{ 1 } << (tag - 0xD4)), 0, L::None };
    return {};
}

// Goes through a value in the file from its beginning, and passes over long ones without reading them.
class Skimmer {
public:
    explicit Skimmer(sqlite::BlobReader& blob)
        : m_blob(blob)
    {
    }

    [[nodiscard]] std::int64_t position() const { return m_at; }
    [[nodiscard]] bool isAtEnd() const { return m_at == m_blob.size(); }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

    std::optional<std::int64_t> mapSize()
    {
        const auto tag = number(1);
        if (!tag)
            return std::nullopt;
        if ((*tag & 0xF0) == 0x80)
            return *tag & 15;
        return *tag == 0xDE ? number(2) : *tag == 0xDF ? number(4) : std::nullopt;
    }

    // Passes over one value.
    bool skip()
    {
        for (std::int64_t left = 1; left > 0; --left) {
            const auto tag = number(1);
            if (!tag)
                return false;
            const Shape shape = shapeOf(static_cast<unsigned>(*tag));
            std::int64_t bytes = shape.bytes;
            std::int64_t items = shape.items;
            if (shape.length != Shape::Length::None) {
                const auto length = number(shape.lengthBytes);
                if (!length)
                    return false;
                if (shape.length == Shape::Length::Bytes)
                    bytes += *length;
                else
                    items += shape.length == Shape::Length::Pairs ? 2 * *length : *length;
            }
            // Each value has a byte at least.
            if (bytes > m_blob.size() - m_at || items > m_blob.size() - m_at - bytes)
                return false;
            m_at += bytes;
            left += items;
        }
        return true;
    }

    // Returns the bytes from a place up to here.
    std::optional<std::string> from(std::int64_t begin)
    {
        if (m_at - begin > kMostCopied)
            return std::nullopt;
        auto bytes = m_blob.read(begin, m_at - begin);
        if (!bytes) {
            m_error = std::move(bytes.error());
            return std::nullopt;
        }
        return *std::move(bytes);
    }

private:
    // A number of so many bytes, the highest first.
    std::optional<std::int64_t> number(int count)
    {
        if (m_at + count > m_blob.size())
            return std::nullopt;
        if (m_at < m_begin || m_at + count > m_begin + static_cast<std::int64_t>(m_piece.size())) {
            auto piece = m_blob.read(m_at, kPieceBytes);
            if (!piece) {
                m_error = std::move(piece.error());
                return std::nullopt;
            }
            m_piece = *std::move(piece);
            m_begin = m_at;
        }
        std::int64_t value = 0;
        for (int i = 0; i < count; ++i)
            value =
                value << 8 | static_cast<unsigned char>(m_piece[static_cast<std::size_t>(m_at++ - m_begin)]);
        return value;
    }

    sqlite::BlobReader& m_blob;
    std::int64_t m_at = 0;
    std::int64_t m_begin = 0; // where m_piece begins
    std::string m_piece;
    std::optional<Error> m_error;
};

std::string textIn(const std::string& bytes)
{
    MsgpackReader reader(bytes, 1);
    const auto text = reader.text();
    return text ? std::string(*text) : std::string();
}

// Tells the channels that decide what runs next; the input is none, as only its presence counts.
bool isNeeded(std::string_view channel)
{
    return channel != "__start__"
        && (channel.starts_with("__") || channel.starts_with("branch:to:") || channel.starts_with("join:"));
}

bool copyValue(Skimmer& skimmer, std::string& to)
{
    const std::int64_t begin = skimmer.position();
    if (!skimmer.skip())
        return false;
    const auto bytes = skimmer.from(begin);
    if (bytes)
        to += *bytes;
    return bytes.has_value();
}

bool copyKey(Skimmer& skimmer, std::string& key, std::string& to)
{
    const std::size_t begin = to.size();
    if (!copyValue(skimmer, to))
        return false;
    key = textIn(to.substr(begin));
    return true;
}

std::optional<std::int64_t> copyMapSize(Skimmer& skimmer, std::string& to)
{
    const std::int64_t begin = skimmer.position();
    const auto size = skimmer.mapSize();
    const auto bytes = size ? skimmer.from(begin) : std::nullopt;
    if (!bytes)
        return std::nullopt;
    to += *bytes;
    return size;
}

bool copyChannels(Skimmer& skimmer, std::string& to)
{
    const auto size = copyMapSize(skimmer, to);
    std::string channel;
    for (std::int64_t i = 0; size && i < *size; ++i) {
        if (!copyKey(skimmer, channel, to))
            return false;
        if (isNeeded(channel)) {
            if (!copyValue(skimmer, to))
                return false;
            continue;
        }
        if (!skimmer.skip())
            return false;
        to += kNil;
    }
    return size.has_value();
}

std::optional<std::string> withoutState(Skimmer& skimmer)
{
    std::string made;
    const auto size = copyMapSize(skimmer, made);
    std::string key;
    for (std::int64_t i = 0; size && i < *size; ++i)
        if (!copyKey(skimmer, key, made)
            || !(key == "channel_values" ? copyChannels(skimmer, made) : copyValue(skimmer, made)))
            return std::nullopt;
    return size && skimmer.isAtEnd() ? std::optional(std::move(made)) : std::nullopt;
}

} // namespace

Result<std::string> checkpointWithoutState(Connection& connection, const sqlite::Statement& row)
{
    auto blob = sqlite::BlobReader::open(connection.db, "checkpoints", "checkpoint", row.integer(kRowColumn));
    if (!blob)
        return std::move(blob.error());
    Skimmer skimmer(*blob);
    auto made = withoutState(skimmer);
    if (made)
        return *std::move(made);
    if (skimmer.error())
        return *skimmer.error();
    return blob->read(0, blob->size());
}

} // namespace sg::checkpoint
