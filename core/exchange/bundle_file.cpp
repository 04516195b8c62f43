#include "core/exchange/bundle_file.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/relative_path.h"
#include "core/exchange/archive_library.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <system_error>

namespace sg::exchange {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1U << 18;
constexpr std::size_t kMostMembers = 200'000;
constexpr std::size_t kLargestManifest = 64U << 20;
constexpr const char* kManifest = "manifest.json";

// The code below runs only after the library was found.
const ArchiveLibrary& lib()
{
    return *archiveLibrary();
}

struct WriteDone {
    void operator()(archive* file) const { lib().writeFree(file); }
};
struct ReadDone {
    void operator()(archive* file) const { lib().readFree(file); }
};
struct EntryDone {
    void operator()(archive_entry* entry) const { lib().entryFree(entry); }
};
using Writer = std::unique_ptr<archive, WriteDone>;
using Reader = std::unique_ptr<archive, ReadDone>;

Error archiveError(archive* file, const std::string& doing)
{
    const char* why = lib().errorString(file);
    if (lib().errorNumber(file) == ENOSPC)
        return { Errc::NoSpace, doing + ": no space is left on the disk" };
    return { Errc::Io, doing + ": " + (why != nullptr ? why : "unknown error") };
}

Error damaged(archive* file, const std::string& where)
{
    const char* why = lib().errorString(file);
    return { Errc::Corrupt,
             "it is damaged, cut off or no bundle (" + where + (why != nullptr ? std::string(": ") + why : "")
                 + "); nothing was imported, take another copy of it" };
}

bool isRowsName(std::string_view name)
{
    return name.ends_with(".rows") && name.size() < 64
        && std::ranges::all_of(name.substr(0, name.size() - 5),
                               [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

bool isMember(const std::string& path)
{
    if (path == kManifest || path == "graph.json" || path == "artifacts.json" || path == "sessions.json"
        || path == "notes.json")
        return true;
    const std::size_t slash = path.find('/');
    if (slash == std::string::npos || !RelativePath::parse(path))
        return false;
    const std::string folder = path.substr(0, slash);
    const std::string_view rest = std::string_view(path).substr(slash + 1);
    if (folder == "blobs" || folder == "snapshots")
        return isSha256Hex(rest);
    return folder == "rows" ? isRowsName(rest) : folder == "code";
}

Result<void> addEntry(archive* file, const std::string& name, std::uint64_t size)
{
    const std::unique_ptr<archive_entry, EntryDone> entry(lib().entryNew());
    lib().entrySetPathname(entry.get(), name.c_str());
    lib().entrySetSize(entry.get(), static_cast<la_int64_t>(size));
    lib().entrySetFiletype(entry.get(), AE_IFREG);
    lib().entrySetPerm(entry.get(), 0644);
    // A warning is about the locale, which may not know a name's letters; its bytes are kept.
    if (lib().writeHeader(file, entry.get()) < ARCHIVE_WARN)
        return archiveError(file, "pack " + name);
    return {};
}

Result<void> addBytes(archive* file, const std::string& name, std::string_view bytes)
{
    while (!bytes.empty()) {
        const la_ssize_t written = lib().writeData(file, bytes.data(), bytes.size());
        if (written <= 0)
            return archiveError(file, "pack " + name);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<BundleMember> addFile(archive* file, const std::string& name, const fs::path& path)
{
    std::error_code failed;
    BundleMember member{ name, fs::file_size(path, failed), {} };
    std::ifstream source(path, std::ios::binary);
    if (failed || !source)
        return Error{ Errc::Io, "read " + path.string() + (failed ? ": " + failed.message() : "") };
    if (auto added = addEntry(file, name, member.bytes); !added)
        return std::move(added.error());
    Sha256 hash;
    std::string piece(kPiece, '\0');
    std::uint64_t left = member.bytes;
    while (left > 0 && source) {
        source.read(piece.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, kPiece)));
        const std::string_view read(piece.data(), static_cast<std::size_t>(source.gcount()));
        hash.update(read);
        left -= read.size();
        if (auto added = addBytes(file, name, read); !added)
            return std::move(added.error());
    }
    if (left > 0)
        return Error{ Errc::Conflict, path.string() + " became shorter while it was read" };
    member.sha256 = hash.finishHex();
    return member;
}

Value manifestOf(const Value& about, const std::vector<BundleMember>& members)
{
    Value manifest = Value::map({ { "format", kBundleFormat }, { "version", kBundleVersion } });
    if (about.isMap())
        for (const auto& [key, value] : about.asMap())
            manifest.editMap().set(key, value);
    ValueList list;
    for (const BundleMember& member : members)
        list.push_back(Value::map({ { "path", member.path },
                                    { "bytes", static_cast<std::int64_t>(member.bytes) },
                                    { "sha256", member.sha256 } }));
    manifest.editMap().set("members", std::move(list));
    return manifest;
}

Result<std::vector<BundleMember>> pack(archive* file, const BundleSource& source)
{
    std::map<std::string, fs::path> files(source.extra.begin(), source.extra.end());
    std::error_code failed;
    for (auto it = fs::recursive_directory_iterator(source.folder, failed);
         !failed && it != fs::recursive_directory_iterator(); it.increment(failed))
        if (it->is_regular_file())
            files[it->path().lexically_relative(source.folder).generic_string()] = it->path();
    if (failed)
        return Error{ Errc::Io, "read " + source.folder.string() + ": " + failed.message() };
    std::vector<BundleMember> members;
    for (const auto& [name, path] : files) {
        if (!isMember(name))
            return Error{ Errc::InvalidArgument, name + " cannot stand in a bundle" };
        auto member = addFile(file, name, path);
        if (!member)
            return std::move(member.error());
        members.push_back(std::move(*member));
    }
    const std::string manifest = toJson(manifestOf(source.about, members), JsonStyle::Indented) + "\n";
    if (auto added = addEntry(file, kManifest, manifest.size()); !added)
        return std::move(added.error());
    if (auto added = addBytes(file, kManifest, manifest); !added)
        return std::move(added.error());
    return members;
}

// Extracts one member of the archive and subtracts its size from `left`.
Result<BundleMember> takeOut(archive* file, const std::string& name, const fs::path& target,
                             std::uint64_t& left)
{
    std::error_code failed;
    fs::create_directories(target.parent_path(), failed);
    std::ofstream out(target, std::ios::binary | std::ios::trunc);
    if (failed || !out)
        return Error{ Errc::Io, "write " + target.string() };
    BundleMember member{ name, 0, {} };
    Sha256 hash;
    std::string piece(kPiece, '\0');
    while (true) {
        const la_ssize_t read = lib().readData(file, piece.data(), piece.size());
        if (read == 0)
            break;
        if (read < 0)
            return damaged(file, name);
        const std::string_view bytes(piece.data(), static_cast<std::size_t>(read));
        if (bytes.size() > left)
            return Error{ Errc::LimitExceeded, "it unpacks to more than there is room for" };
        left -= bytes.size();
        member.bytes += bytes.size();
        hash.update(bytes);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    out.close();
    if (out.fail())
        return Error{ Errc::NoSpace,
                      "write " + target.string() + ": the disk may be full; nothing was imported" };
    member.sha256 = hash.finishHex();
    return member;
}

using Members = std::map<std::string, BundleMember>;

Result<Members> takeAll(archive* file, const fs::path& folder, std::uint64_t left)
{
    Members members;
    archive_entry* entry = nullptr;
    while (true) {
        const int next = lib().readNextHeader(file, &entry);
        if (next == ARCHIVE_EOF)
            return members;
        if (next != ARCHIVE_OK && next != ARCHIVE_WARN)
            return damaged(file, "its list of files");
        const char* told = lib().entryPathnameUtf8(entry);
        if (told == nullptr)
            told = lib().entryPathname(entry);
        const std::string name = told != nullptr ? told : "";
        if (lib().entryFiletype(entry) != AE_IFREG || lib().entryHardlink(entry) != nullptr
            || lib().entrySymlink(entry) != nullptr || !isMember(name))
            return Error{ Errc::Corrupt, "it holds \"" + name + "\", which no bundle does" };
        if (members.contains(name))
            return Error{ Errc::Corrupt, "it holds " + name + " twice" };
        if (members.size() >= kMostMembers)
            return Error{ Errc::LimitExceeded, "it holds too many files" };
        auto member = takeOut(file, name, folder / name, left);
        if (!member)
            return std::move(member.error());
        members.emplace(name, std::move(*member));
    }
}

std::uint32_t numberAt(std::string_view bytes, std::size_t at, int size)
{
    std::uint32_t number = 0;
    for (int i = size; i-- > 0;)
        number = number << 8U | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return number;
}

// The archive is read from its beginning, where each file has its name, and the central directory at its end
// is not needed. So a file that lost its end (in a broken download) has to be detected here.
bool hasItsEnd(const fs::path& bundle, std::size_t count)
{
    constexpr std::size_t kEnd = 22; // bytes, with a comment of up to 65535 bytes after it
    constexpr std::uint32_t kMark = 0x06054B50;
    constexpr std::uint32_t kElsewhere = 0xFFFFFFFF; // the number is in a longer record before
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(bundle, failed);
    const std::uintmax_t tail = std::min<std::uintmax_t>(size, kEnd + 0xFFFF);
    std::string bytes(failed ? 0 : static_cast<std::size_t>(tail), '\0');
    std::ifstream file(bundle, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(size - tail));
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file || bytes.size() < kEnd)
        return false;
    for (std::size_t at = bytes.size() - kEnd + 1; at-- > 0;) {
        if (numberAt(bytes, at, 4) != kMark || at + kEnd + numberAt(bytes, at + 20, 2) != bytes.size())
            continue;
        const std::uint32_t entries = numberAt(bytes, at + 10, 2);
        const std::uint32_t listSize = numberAt(bytes, at + 12, 4);
        const std::uint32_t listStart = numberAt(bytes, at + 16, 4);
        const bool isLong = entries == 0xFFFF || listSize == kElsewhere || listStart == kElsewhere;
        if (isLong
            || (entries == count && std::uintmax_t{ listStart } + listSize == size - bytes.size() + at))
            return true;
    }
    return false;
}

Result<Value> checked(const fs::path& folder, Members members)
{
    const auto text = readFile(folder / kManifest, kLargestManifest);
    const auto manifest =
        text ? parseJson(*text) : Result<Value>(Error{ Errc::Corrupt, "it has no manifest" });
    if (!manifest)
        return Error{ Errc::Corrupt, manifest.error().message };
    if (manifest->stringOr("format", "") != kBundleFormat || !(*manifest)["members"].isList())
        return Error{ Errc::Corrupt, "it is no thread of Sandglass" };
    if (manifest->intOr("version", 0) > kBundleVersion)
        return Error{ Errc::Unsupported, "it was written by a newer version of Sandglass" };
    members.erase(kManifest);
    for (const Value& listed : (*manifest)["members"].asList()) {
        const auto found = members.find(listed.stringOr("path", ""));
        if (found == members.end())
            return Error{ Errc::Corrupt,
                          "what its manifest lists is missing: " + listed.stringOr("path", "?") };
        if (found->second.sha256 != listed.stringOr("sha256", "")
            || static_cast<std::int64_t>(found->second.bytes) != listed.intOr("bytes", -1))
            return Error{ Errc::Corrupt,
                          found->first + " is not what its manifest says: it was changed or damaged" };
        members.erase(found);
    }
    if (!members.empty())
        return Error{ Errc::Corrupt, "it holds what its manifest does not list: " + members.begin()->first };
    return manifest;
}

} // namespace

Result<std::vector<BundleMember>> packBundle(const BundleSource& source, const fs::path& target)
{
    std::array<char, 8> random{};
    fillRandomBytes(random.data(), random.size());
    const fs::path part =
        target.parent_path() / (".sandglass-" + toHex({ random.data(), random.size() }) + ".part");
    std::error_code failed;
    if (!archiveLibrary())
        return archiveLibrary().error();
    Writer writer(lib().writeNew());
    lib().writeSetFormatZip(writer.get());
    Result<std::vector<BundleMember>> packed = Error{ Errc::Io, "write " + target.string() };
    if (lib().writeOpenFilename(writer.get(), part.c_str()) != ARCHIVE_OK)
        return archiveError(writer.get(), "write " + target.string());
    packed = pack(writer.get(), source);
    if (packed && lib().writeClose(writer.get()) != ARCHIVE_OK)
        packed = archiveError(writer.get(), "write " + target.string());
    writer.reset();
    if (packed) {
        fs::rename(part, target, failed);
        if (failed)
            packed = Error{ Errc::Io, "write " + target.string() + ": " + failed.message() };
    }
    if (!packed)
        fs::remove(part, failed);
    return packed;
}

Result<Value> unpackBundle(const fs::path& bundle, const fs::path& folder, std::uint64_t mostBytes)
{
    if (!archiveLibrary())
        return archiveLibrary().error();
    Reader reader(lib().readNew());
    lib().readSupportFormatZip(reader.get());
    if (lib().readOpenFilename(reader.get(), bundle.c_str(), kPiece) != ARCHIVE_OK)
        return archiveError(reader.get(), "it cannot be read, or is no bundle")
            .during("import " + bundle.string());
    auto members = takeAll(reader.get(), folder, mostBytes);
    if (members && !hasItsEnd(bundle, members->size()))
        members = Error{ Errc::Corrupt,
                         "it is cut off: its end is missing; nothing was imported, take another copy of it" };
    auto manifest =
        members ? checked(folder, std::move(*members)) : Result<Value>(std::move(members.error()));
    if (!manifest)
        return std::move(manifest.error()).during("import " + bundle.string());
    return manifest;
}

} // namespace sg::exchange
