#include "core/sessions/file_map.h"

#include "core/base/hash.h"
#include "core/base/msgpack.h"

#include <utility>

// A piece is a MessagePack list of [path, type, mode, size, mtime_ns, content, same_as], in order of their
// paths.
namespace sg::sessions {
namespace {

constexpr char kPieceEnd = '0'; // A path whose hash begins with two of these (one in 256) ends a piece.

bool endsPiece(const std::string& path)
{
    const std::string hash = xxh3Hex(path);
    return hash[0] == kPieceEnd && hash[1] == kPieceEnd;
}

Value entryValue(const std::string& path, const FileEntry& entry)
{
    return Value::list({ Bytes{ path }, static_cast<int>(entry.type), entry.mode, entry.size, entry.mtimeNs,
                         Bytes{ entry.content }, Bytes{ entry.sameAs } });
}

Result<void> readEntry(const Value& value, FileMap& files)
{
    const auto isNumber = [&](std::size_t i) { return value[i].isInt(); };
    if (!value[0].isBytes() || !isNumber(1) || !isNumber(2) || !isNumber(3) || !isNumber(4)
        || !value[5].isBytes() || !value[6].isBytes() || value[1].asInt() < 0 || value[1].asInt() > 3)
        return Error{ Errc::Corrupt, "a stored list of files has a damaged entry" };
    FileEntry entry;
    entry.type = static_cast<FileEntry::Type>(value[1].asInt());
    entry.mode = static_cast<int>(value[2].asInt() & 07777);
    entry.size = value[3].asInt();
    entry.mtimeNs = value[4].asInt();
    entry.content = value[5].asBytes();
    entry.sameAs = value[6].asBytes();
    files.emplace(value[0].asBytes(), std::move(entry));
    return {};
}

} // namespace

Result<std::vector<std::string>> keepFileMap(const FileMap& files, const KeepPiece& keep)
{
    std::vector<std::string> names;
    ValueList piece;
    const auto finish = [&]() -> Result<void> {
        if (piece.empty())
            return {};
        const std::string bytes = encodeMsgpack(Value(std::exchange(piece, {})));
        names.push_back(sha256Hex(bytes));
        return keep(names.back(), bytes);
    };
    for (const auto& [path, entry] : files) {
        piece.push_back(entryValue(path, entry));
        if (endsPiece(path))
            if (auto kept = finish(); !kept)
                return std::move(kept.error());
    }
    if (auto kept = finish(); !kept)
        return std::move(kept.error());
    return names;
}

Result<FileMap> loadFileMap(const std::vector<std::string>& pieces, const LoadPiece& load)
{
    FileMap files;
    for (const std::string& name : pieces) {
        auto bytes = load(name);
        if (!bytes)
            return std::move(bytes.error());
        if (sha256Hex(*bytes) != name)
            return Error{ Errc::Corrupt, "a stored list of files is damaged: piece " + name };
        auto list = decodeMsgpack(*bytes);
        if (!list)
            return std::move(list.error());
        if (!list->isList())
            return Error{ Errc::Corrupt, "a stored list of files is none: piece " + name };
        for (const Value& each : list->asList())
            if (auto read = readEntry(each, files); !read)
                return std::move(read.error());
    }
    return files;
}

} // namespace sg::sessions
