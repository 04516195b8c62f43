#include "core/sessions/snapshot_files.h"

#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/sessions/snapshot_room.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::int64_t kPiece = 4 << 20; // of a content
constexpr std::int64_t kRequestBytes = 6 << 20;
constexpr std::size_t kRequestFiles = 500;
constexpr std::size_t kAhead = 2; // requests before the first is answered
constexpr std::int64_t kMostEntries = 1'000'000;
constexpr std::size_t kFewFiles = 8; // are flushed one by one; more, with the whole file system at once

Error broken(const char* what)
{
    return { Errc::Corrupt, std::string("the session's runner broke the protocol: ") + what };
}

std::string megabytes(std::int64_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB";
}

} // namespace

Value SnapshotFiles::pathValue(const std::string& path)
{
    return isValidUtf8(path) ? Value(path) : Value(Bytes{ path });
}

// Reads the contents of several files into blobs, in requests that hold pieces of several and follow each
// other closely.
class SnapshotFiles::Reader {
public:
    Reader(RunnerLink& link, artifacts::BlobStore& blobs, artifacts::BlobStore::Flush flush)
        : m_link(link)
        , m_blobs(blobs)
        , m_flush(flush)
    {
    }

    struct File {
        std::string path;
        Seen* seen;
        std::unique_ptr<artifacts::BlobWriter> writer;
        bool failed = false;
    };

    Result<void> read(std::vector<File>& files)
    {
        std::size_t file = 0;
        std::int64_t offset = 0;
        while (file < files.size() || !m_waiting.empty()) {
            while (file < files.size() && m_waiting.size() < kAhead)
                if (auto asked = ask(files, file, offset); !asked)
                    return asked;
            if (auto taken = take(files); !taken)
                return taken;
        }
        return {};
    }

private:
    struct Piece {
        std::size_t file;
        std::int64_t offset;
        std::int64_t length;
    };
    struct Waiting {
        RunnerLink::Exchange exchange;
        std::vector<Piece> pieces;
    };

    Result<void> ask(std::vector<File>& files, std::size_t& file, std::int64_t& offset)
    {
        std::vector<Piece> pieces;
        ValueList wanted;
        std::int64_t bytes = 0;
        while (file < files.size() && bytes < kRequestBytes && pieces.size() < kRequestFiles) {
            const std::int64_t size = files[file].seen->entry.size;
            const std::int64_t length = std::min({ kPiece, size - offset, kRequestBytes - bytes });
            pieces.push_back({ file, offset, length });
            wanted.push_back(
                Value::list({ pathValue(files[file].path), files[file].seen->inode, offset, length }));
            bytes += length;
            offset += length;
            if (offset >= size) {
                ++file;
                offset = 0;
            }
        }
        auto exchange = m_link.begin({ { "op", "read_files" }, { "files", std::move(wanted) } });
        if (!exchange)
            return std::move(exchange.error());
        m_waiting.push_back({ std::move(*exchange), std::move(pieces) });
        return {};
    }

    Result<void> take(std::vector<File>& files)
    {
        Waiting waiting = std::move(m_waiting.front());
        m_waiting.pop_front();
        auto frame = waiting.exchange.next(std::chrono::steady_clock::now() + kAnswerTime);
        if (!frame)
            return std::move(frame.error());
        const Value& contents = frame->body["contents"];
        if (frame->event != "contents" || !contents.isList()
            || contents.asList().size() > waiting.pieces.size())
            return broken("contents that are none");
        for (std::size_t i = 0; i < waiting.pieces.size(); ++i)
            if (auto written = write(files[waiting.pieces[i].file], waiting.pieces[i], contents[i]); !written)
                return written;
        return {};
    }

    Result<void> write(File& file, const Piece& piece, const Value& content)
    {
        if (file.failed)
            return {};
        if (!content.isBytes() || static_cast<std::int64_t>(content.asBytes().size()) != piece.length) {
            file.failed = true; // it is another one now, or shorter
            file.writer.reset();
            return {};
        }
        if (!file.writer) {
            auto writer = m_blobs.begin(m_flush);
            if (!writer)
                return std::move(writer.error());
            file.writer = std::move(*writer);
        }
        if (auto written = file.writer->write(content.asBytes()); !written)
            return written;
        if (piece.offset + piece.length < file.seen->entry.size)
            return {};
        auto hash = file.writer->finish();
        file.writer.reset();
        if (!hash)
            return std::move(hash.error());
        file.seen->entry.content = std::move(*hash);
        file.seen->isKnown = true;
        return {};
    }

    RunnerLink& m_link;
    artifacts::BlobStore& m_blobs;
    const artifacts::BlobStore::Flush m_flush;
    std::deque<Waiting> m_waiting;
};

Result<void> SnapshotFiles::scan()
{
    auto exchange = m_link.begin({ { "op", "scan" }, { "base", m_token } });
    if (!exchange)
        return std::move(exchange.error());
    m_problems.clear();
    while (true) {
        auto frame = exchange->next(std::chrono::steady_clock::now() + kAnswerTime);
        if (!frame)
            return std::move(frame.error());
        const Value& page = frame->body;
        if (frame->event != "scanned" || !page["entries"].isList() || !page["removed"].isList()
            || page.intOr("total", -1) < 0 || page.intOr("total", -1) > 2 * kMostEntries)
            return broken("a list of files that is none");
        if (!page["removed"].asList().empty() || !page["entries"].asList().empty())
            m_recorded.reset();
        for (const Value& path : page["removed"].asList())
            m_seen.erase(path.isString() ? path.asString() : path.isBytes() ? path.asBytes() : std::string());
        for (const Value& entry : page["entries"].asList())
            if (auto taken = takeEntry(entry); !taken)
                return taken;
        if (page["problems"].isList())
            for (const Value& problem : page["problems"].asList())
                m_problems.push_back(
                    { "folder",
                      printableText(problem[0].isString() ? problem[0].asString() : "?") + ": "
                          + printableText(problem[1].isString() ? problem[1].asString() : "?") });
        if (!page.boolOr("more", false)) {
            m_token = page.intOr("token", 0);
            return {};
        }
    }
}

Result<void> SnapshotFiles::takeEntry(const Value& value)
{
    const Value& path = value[0];
    bool isFormed = (path.isString() || path.isBytes()) && value[1].isString();
    for (std::size_t i = 2; i < 8; ++i)
        isFormed = isFormed && value[i].isInt();
    if (!isFormed || value[3].asInt() < 0 || static_cast<std::int64_t>(m_seen.size()) > kMostEntries)
        return broken("a file that is none");
    const std::string name = path.isString() ? path.asString() : path.asBytes();
    const std::string& type = value[1].asString();
    Seen seen;
    seen.entry.mode = static_cast<int>(value[2].asInt() & 07777);
    seen.entry.size = type == "file" ? value[3].asInt() : 0;
    seen.entry.mtimeNs = value[4].asInt();
    seen.inode = value[5].asInt();
    seen.ctimeNs = value[6].asInt();
    seen.links = value[7].asInt();
    if (type == "file") {
        seen.entry.type = FileEntry::Type::File;
        seen.isKnown = seen.entry.size == 0;
    } else if (type == "folder") {
        seen.entry.type = FileEntry::Type::Folder;
    } else if (type == "link") {
        const Value& target = value[8];
        if (!target.isString() && !target.isBytes())
            return broken("a link without a target");
        seen.entry.type = FileEntry::Type::Link;
        seen.entry.content = target.isString() ? target.asString() : target.asBytes();
    } else if (type == "pipe") {
        seen.entry.type = FileEntry::Type::Pipe;
    } else {
        m_seen.erase(name);
        m_problems.push_back({ printableText(type.substr(0, 20)), printableText(name.substr(0, 300)) });
        return {};
    }
    m_seen[name] = std::move(seen);
    return {};
}

// Several names of one file: the first by name holds the content.
void SnapshotFiles::linkNames()
{
    std::map<std::int64_t, std::vector<const std::string*>> byInode;
    for (auto& [path, seen] : m_seen) {
        seen.entry.sameAs.clear();
        if (seen.entry.type == FileEntry::Type::File && seen.links > 1)
            byInode[seen.inode].push_back(&path);
    }
    for (auto& [inode, paths] : byInode) {
        std::ranges::sort(paths, {}, [](const std::string* path) { return *path; });
        for (std::size_t i = 1; i < paths.size(); ++i)
            m_seen[*paths[i]].entry.sameAs = *paths[0];
    }
}

// With a target only what might be as it is there.
Result<void> SnapshotFiles::readContents(std::vector<NamedThing>& left, const FileMap* target)
{
    const auto isWanted = [target](const std::string& path, const FileEntry& entry) {
        if (target == nullptr)
            return true;
        const auto wanted = target->find(path);
        return wanted != target->end() && wanted->second.type == entry.type
            && wanted->second.size == entry.size && wanted->second.sameAs.empty();
    };
    std::vector<Reader::File> files;
    for (auto& [path, seen] : m_seen)
        if (seen.entry.type == FileEntry::Type::File && !seen.isKnown && seen.entry.sameAs.empty()
            && isWanted(path, seen.entry))
            files.push_back({ path, &seen, nullptr });
    if (files.empty())
        return {};
    using Flush = artifacts::BlobStore::Flush;
    const Flush flush = files.size() <= kFewFiles ? Flush::Each : Flush::Later;
    m_wrote = m_wrote || flush == Flush::Later;
    std::ranges::sort(files, {}, &Reader::File::path);
    if (auto read = Reader(m_link, m_blobs, flush).read(files); !read)
        return read;
    for (const Reader::File& file : files)
        if (file.failed)
            left.push_back(
                { "file", printableText(file.path.substr(0, 300)) + ": it changed while it was being read" });
    return {};
}

FileMap SnapshotFiles::mapNow() const
{
    FileMap map;
    for (const auto& [path, seen] : m_seen) {
        const bool hasContent = seen.isKnown || !seen.entry.sameAs.empty();
        if (seen.entry.type == FileEntry::Type::File && !hasContent)
            continue; // said to be left
        FileEntry entry = seen.entry;
        if (!entry.sameAs.empty())
            entry.content.clear();
        map.emplace(path, std::move(entry));
    }
    return map;
}

bool SnapshotFiles::isAt(const FileMap& target) const
{
    return m_seen.size() == target.size() && mapNow() == target;
}

Result<SnapshotFiles::Recorded> SnapshotFiles::record(std::int64_t capBytes, SnapshotRoom* room)
{
    if (auto scanned = scan(); !scanned)
        return std::move(scanned.error());
    if (m_recorded && m_recorded->bytes <= capBytes && m_recorded->left == m_problems)
        return *m_recorded;
    linkNames();
    Recorded recorded;
    std::int64_t unread = 0;
    for (const auto& [path, seen] : m_seen) {
        recorded.bytes += seen.entry.sameAs.empty() ? seen.entry.size : 0;
        unread += seen.entry.sameAs.empty() && !seen.isKnown ? seen.entry.size : 0;
    }
    recorded.left = m_problems;
    if (recorded.bytes > capBytes) {
        recorded.problem =
            "files not kept: " + megabytes(recorded.bytes) + " over the cap of " + megabytes(capBytes);
        return recorded;
    }
    if (const auto claimed = room != nullptr ? room->claim(unread) : Result<void>(); !claimed) {
        recorded.problem = "files not kept: " + claimed.error().message;
        return recorded;
    }
    if (auto read = readContents(recorded.left, nullptr); !read)
        return std::move(read.error());
    recorded.files = std::make_shared<const FileMap>(mapNow());
    m_recorded = recorded;
    return recorded;
}

Result<void> SnapshotFiles::flush()
{
    if (!std::exchange(m_wrote, false))
        return {};
    return m_blobs.flush();
}

} // namespace sg::sessions
