#include "core/history/raw_value.h"

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/base/new_content.h"
#include "core/sqlite/blob_reader.h"
#include "core/sqlite/db.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::history {
namespace {

constexpr std::int64_t kPiece = 1 << 20; // bytes copied at once

std::vector<std::string> tokensOf(const std::string& pointer)
{
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/')
            tokens.emplace_back();
        else if (!tokens.empty() && pointer[i] == '~' && i + 1 < pointer.size())
            tokens.back() += pointer[++i] == '1' ? '/' : '~';
        else if (!tokens.empty())
            tokens.back() += pointer[i];
    }
    return tokens;
}

// The first bytes of a MessagePack value, decoded.
struct Head {
    enum class Kind { Other, Map, List, Bytes, Ext };
    Kind kind = Kind::Other;
    std::size_t length = 0; // bytes of the head itself
    std::size_t size = 0; // bytes that follow it
    int code = 0; // for Ext
};

std::size_t bigEndian(std::string_view bytes, std::size_t at, std::size_t count)
{
    std::size_t number = 0;
    for (std::size_t i = 0; i < count && at + i < bytes.size(); ++i)
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

Head headOf(std::string_view bytes)
{
    const unsigned tag = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
    if ((tag & 0xF0U) == 0x80U || tag == 0xDEU || tag == 0xDFU)
        return { Head::Kind::Map, 0, 0, 0 };
    if ((tag & 0xF0U) == 0x90U || tag == 0xDCU || tag == 0xDDU)
        return { Head::Kind::List, 0, 0, 0 };
    if (tag >= 0xC4U && tag <= 0xC6U) {
        const std::size_t width = std::size_t(1) << (tag - 0xC4U);
        return { Head::Kind::Bytes, 1 + width, bigEndian(bytes, 1, width), 0 };
    }
    if (tag >= 0xC7U && tag <= 0xC9U) {
        const std::size_t width = std::size_t(1) << (tag - 0xC7U);
        const int code = bytes.size() > width + 1 ? static_cast<signed char>(bytes[width + 1]) : 0;
        return { Head::Kind::Ext, 2 + width, bigEndian(bytes, 1, width), code };
    }
    if (tag >= 0xD4U && tag <= 0xD8U)
        return { Head::Kind::Ext, 2, std::size_t(1) << (tag - 0xD4U),
                 bytes.size() > 1 ? static_cast<signed char>(bytes[1]) : 0 };
    return {};
}

// Returns "module.Class" if the bytes are a list that begins with both, as LangGraph writes objects.
std::string objectNamed(std::string_view payload)
{
    MsgpackReader reader(payload, MsgpackLimits().depth);
    if (const auto count = reader.listSize(); !count || *count < 2)
        return {};
    const auto module = reader.text();
    const auto name = module ? reader.text() : std::nullopt;
    return name ? std::string(*module) + '.' + std::string(*name) : std::string();
}

class Walk {
public:
    Walk(std::string_view blob, std::vector<std::string> tokens)
        : m_blob(blob)
        , m_tokens(std::move(tokens))
    {
        m_tokens.insert(m_tokens.begin(), "channel_values");
    }

    // Finds the range of the value that the tokens lead to.
    std::optional<std::pair<std::size_t, std::size_t>> find()
    {
        std::size_t begin = 0;
        std::size_t end = m_blob.size();
        for (const std::string& token : m_tokens) {
            const std::string_view value = m_blob.substr(begin, end - begin);
            const Head head = headOf(value);
            if (head.kind == Head::Kind::Ext)
                break; // a pointer into an object means the object
            const auto part = head.kind == Head::Kind::Map ? inMap(value, token)
                : head.kind == Head::Kind::List            ? inList(value, token)
                                                           : std::nullopt;
            if (!part)
                return std::nullopt;
            end = begin + part->second;
            begin += part->first;
        }
        return std::pair(begin, end);
    }

private:
    using Part = std::optional<std::pair<std::size_t, std::size_t>>;

    static Part inMap(std::string_view bytes, const std::string& token)
    {
        MsgpackReader reader(bytes, MsgpackLimits().depth);
        const auto count = reader.mapSize();
        for (std::uint32_t i = 0; count && i < *count; ++i) {
            const auto key = reader.value();
            if (!key)
                return std::nullopt;
            const std::size_t begin = reader.position();
            if (!reader.skip())
                return std::nullopt;
            if ((key->isString() ? key->asString() : toJson(*key)) == token)
                return std::pair(begin, reader.position());
        }
        return std::nullopt;
    }

    static Part inList(std::string_view bytes, const std::string& token)
    {
        std::uint32_t wanted = 0;
        const auto [end, failed] = std::from_chars(token.data(), token.data() + token.size(), wanted);
        if (failed != std::errc() || end != token.data() + token.size())
            return std::nullopt;
        MsgpackReader reader(bytes, MsgpackLimits().depth);
        const auto count = reader.listSize();
        for (std::uint32_t i = 0; count && i < *count; ++i) {
            const std::size_t begin = reader.position();
            if (!reader.skip())
                return std::nullopt;
            if (i == wanted)
                return std::pair(begin, reader.position());
        }
        return std::nullopt;
    }

    std::string_view m_blob;
    std::vector<std::string> m_tokens;
};

RawValue valueAt(std::string_view blob, std::size_t begin, std::size_t end)
{
    const std::string_view bytes = blob.substr(begin, end - begin);
    const Head head = headOf(bytes);
    RawValue value;
    value.begin = static_cast<std::int64_t>(begin);
    value.size = static_cast<std::int64_t>(bytes.size());
    value.type = "msgpack";
    if (head.kind != Head::Kind::Ext && head.kind != Head::Kind::Bytes)
        return value;
    value.begin += static_cast<std::int64_t>(head.length);
    value.size -= static_cast<std::int64_t>(head.length);
    value.type = head.kind == Head::Kind::Bytes ? "bytes" : "msgpack, ext " + std::to_string(head.code);
    if (head.kind == Head::Kind::Ext)
        value.object = objectNamed(bytes.substr(head.length));
    return value;
}

} // namespace

struct RawValues::Impl {
    explicit Impl(std::filesystem::path path)
        : database(std::move(path))
    {
    }

    Result<void> open()
    {
        if (db)
            return {};
        sqlite::DbOptions options;
        options.mode = sqlite::OpenMode::ReadOnly;
        auto opened = sqlite::Db::open(database, options);
        if (!opened)
            return std::move(opened.error());
        db.emplace(*std::move(opened));
        return {};
    }

    // Called within a transaction, so that the bytes read are those looked up.
    Result<sqlite::BlobReader> look(const RawValue& value)
    {
        const Error changed{ Errc::Conflict,
                             "this value is not what it was: its database was changed; open it again" };
        auto rows = db->cached("SELECT 1 FROM checkpoints WHERE rowid = ?1 AND thread_id = ?2"
                               " AND checkpoint_ns = '' AND checkpoint_id = ?3 AND coalesce(type, '') = ?4");
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, value.row).bind(2, value.thread.value).bind(3, value.checkpoint.value);
        rows->bind(4, value.rowType);
        const auto isSame = rows->step();
        if (!isSame)
            return isSame.error();
        if (!*isSame)
            return changed;
        auto blob = sqlite::BlobReader::open(*db, "checkpoints", "checkpoint", value.row);
        if (blob && blob->size() != value.rowSize)
            return changed;
        return blob;
    }

    const std::filesystem::path database;
    std::mutex mutex; // guards db
    std::optional<sqlite::Db> db;
};

RawValues::RawValues(std::filesystem::path database)
    : m_impl(std::make_unique<Impl>(std::move(database)))
{
}

RawValues::~RawValues() = default;

Result<RawValue> RawValues::find(const ThreadId& thread, const CheckpointId& checkpoint,
                                 const std::string& pointer)
{
    const std::lock_guard lock(m_impl->mutex);
    if (auto done = m_impl->open(); !done)
        return std::move(done.error());
    auto rows = m_impl->db->prepare(
        "SELECT rowid, coalesce(type, ''), checkpoint FROM checkpoints WHERE thread_id = ?1"
        " AND checkpoint_ns = '' AND checkpoint_id = ?2");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, thread.value).bind(2, checkpoint.value);
    const auto row = rows->step();
    if (!row)
        return row.error();
    if (!*row)
        return Error{ Errc::NotFound, "this checkpoint is not there any more; open the thread again" };
    const std::string type(rows->text(1));
    const std::string_view blob = rows->blob(2);
    RawValue value;
    if (pointer.empty() || type != "msgpack") {
        value.type = type.empty() ? "no type" : type;
        value.size = static_cast<std::int64_t>(blob.size());
    } else {
        const auto place = Walk(blob, tokensOf(pointer)).find();
        if (!place)
            return Error{
                Errc::NotFound,
                "the bytes of " + pointer
                    + " do not stand in this checkpoint by themselves: the channel is stored as changes, or"
                      " the value is made of others"
            };
        value = valueAt(blob, place->first, place->second);
    }
    value.row = rows->integer(0);
    value.thread = thread;
    value.checkpoint = checkpoint;
    value.rowType = type;
    value.rowSize = static_cast<std::int64_t>(blob.size());
    return value;
}

Result<std::string> RawValues::read(const RawValue& value, std::int64_t offset, std::int64_t count)
{
    const std::lock_guard lock(m_impl->mutex);
    if (auto done = m_impl->open(); !done)
        return std::move(done.error());
    const auto reading = m_impl->db->beginRead();
    if (!reading)
        return reading.error();
    auto blob = m_impl->look(value);
    if (!blob)
        return std::move(blob.error());
    const std::int64_t from = std::clamp<std::int64_t>(offset, 0, value.size);
    return blob->read(value.begin + from, std::min(count, value.size - from));
}

Result<void> RawValues::save(const RawValue& value, const std::filesystem::path& file,
                             const std::stop_token& stop)
{
    const std::lock_guard lock(m_impl->mutex);
    if (auto done = m_impl->open(); !done)
        return std::move(done.error());
    const auto reading = m_impl->db->beginRead(); // all pieces belong to one value
    if (!reading)
        return reading.error();
    auto blob = m_impl->look(value);
    if (!blob)
        return std::move(blob.error());
    std::int64_t at = 0;
    std::string piece;
    auto written = NewContent::write(file, [&]() -> Result<std::string_view> {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "saving was stopped" };
        auto bytes = blob->read(value.begin + at, std::min(kPiece, value.size - at));
        if (!bytes)
            return std::move(bytes.error());
        piece = *std::move(bytes);
        at += static_cast<std::int64_t>(piece.size());
        return std::string_view(piece);
    });
    if (!written)
        return std::move(written.error());
    return written->putInPlace();
}

} // namespace sg::history
