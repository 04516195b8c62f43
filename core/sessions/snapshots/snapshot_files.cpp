#include "core/sessions/snapshots/snapshot_files.h"

#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/sessions/runner/frame.h"
#include "core/sessions/snapshots/snapshot_room.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <thread>
#include <utility>

// Reads a session's folder into blobs: from here where the folder can be seen, else through the runner.
namespace sg::sessions {
namespace {

constexpr std::int64_t kContentPiece = 4 << 20; // of a content
constexpr std::int64_t kRequestBytes = 6 << 20;
constexpr std::size_t kRequestFiles = 500;
constexpr std::size_t kRequestsAhead = 2; // requests before the first is answered
constexpr std::size_t kBuffer = 512U << 10;
constexpr std::int64_t kWorthAThread = 16 << 20;
using artifacts::BlobStore;
constexpr std::size_t kFewFiles = 64; // flushed one by one; more, with the whole file system at once
constexpr std::size_t kMostShownOfAPath = 300;

// Paths are stored with each snapshot, shown and exported, so none may hold a secret.
void leaveSecretNames(FileMap& map, std::vector<NamedThing>& left)
{
    std::erase_if(map, [&left](const auto& each) {
        const auto& [path, entry] = each;
        if (!holdsSecret(path) && !(entry.type == FileEntry::Type::Link && holdsSecret(entry.content)))
            return false;
        left.push_back({ "file",
                         printableText(withoutSecrets(path).substr(0, kMostShownOfAPath))
                             + " (its name, or where it leads, holds a secret)" });
        return true;
    });
}

} // namespace

// Reader reads the contents of several files into blobs, by requests for pieces of several files that follow
// each other closely.
class SnapshotFiles::Reader {
public:
    Reader(RunnerLink& link, BlobStore& blobs, std::atomic<std::int64_t>& newBytes)
        : m_link(link)
        , m_blobs(blobs)
        , m_newBytes(newBytes)
    {
    }

    Result<void> read(std::vector<File>& files)
    {
        std::size_t file = 0;
        std::int64_t offset = 0;
        while (file < files.size() || !m_waiting.empty()) {
            while (file < files.size() && m_waiting.size() < kRequestsAhead)
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
            const std::int64_t length = std::min({ kContentPiece, size - offset, kRequestBytes - bytes });
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
            return brokenProtocol("contents that are none");
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
            file.failed = true; // the file was replaced, or is shorter
            file.writer.reset();
            return {};
        }
        if (!file.writer) {
            auto writer = m_blobs.begin(BlobStore::Flush::Later);
            if (!writer)
                return std::move(writer.error());
            file.writer = std::move(*writer);
        }
        if (auto written = file.writer->write(content.asBytes()); !written)
            return written;
        if (piece.offset + piece.length < file.seen->entry.size)
            return {};
        auto hash = file.writer->finish();
        if (!hash && hash.error().code == Errc::InvalidArgument) {
            file.writer.reset();
            file.failed = file.isRefused = true;
            return {};
        }
        if (!hash)
            return std::move(hash.error());
        if (file.writer->isNew())
            m_newBytes += file.seen->entry.size;
        file.writer.reset();
        file.seen->entry.content = std::move(*hash);
        file.seen->isKnown = true;
        return {};
    }

    RunnerLink& m_link;
    BlobStore& m_blobs;
    std::atomic<std::int64_t>& m_newBytes;
    std::deque<Waiting> m_waiting;
};

// Reads the file completely; it fails where the file was replaced, or is shorter.
Result<void> SnapshotFiles::readVisible(File& file)
{
    std::vector<char> buffer(kBuffer);
    auto opened = m_visible->openFile(file.path, file.seen->inode);
    auto writer = m_blobs.begin(BlobStore::Flush::Later);
    if (!writer)
        return std::move(writer.error());
    file.failed = true;
    std::int64_t left = file.seen->entry.size;
    while (opened && left > 0) {
        const auto most = std::min(static_cast<std::int64_t>(buffer.size()), left);
        const ssize_t got = ::read(opened->get(), buffer.data(), static_cast<std::size_t>(most));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return {};
        left -= got;
        if (auto written = (*writer)->write({ buffer.data(), static_cast<std::size_t>(got) }); !written)
            return written;
    }
    if (!opened)
        return {};
    auto hash = (*writer)->finish();
    file.isRefused = !hash && hash.error().code == Errc::InvalidArgument;
    if (file.isRefused)
        return {};
    if (!hash)
        return std::move(hash.error());
    if ((*writer)->isNew())
        m_newBytes += file.seen->entry.size;
    file.seen->entry.content = std::move(*hash);
    file.seen->isKnown = true;
    file.failed = false;
    return {};
}

// Hashing takes the time: where there is much, two threads share it.
Result<void> SnapshotFiles::readVisible(std::vector<File>& files)
{
    std::int64_t bytes = 0;
    for (const File& file : files)
        bytes += file.seen->entry.size;
    std::atomic<std::size_t> next = 0;
    const auto work = [&]() -> Result<void> {
        for (std::size_t i = next++; i < files.size(); i = next++)
            if (auto read = readVisible(files[i]); !read)
                return read;
        return {};
    };
    Result<void> other;
    Result<void> own;
    {
        std::jthread second;
        if (bytes >= kWorthAThread && files.size() > 1 && std::thread::hardware_concurrency() > 1)
            second = std::jthread([&] { other = work(); });
        own = work();
    }
    return own ? std::move(other) : std::move(own);
}

// With a target, reads only files that may be equal to the target's.
Result<void> SnapshotFiles::readContents(std::vector<NamedThing>& left, const FileMap* target)
{
    const auto isWanted = [target](const std::string& path, const FileEntry& entry) {
        if (target == nullptr)
            return true;
        const auto wanted = target->find(path);
        return wanted != target->end() && wanted->second.type == entry.type
            && wanted->second.size == entry.size && wanted->second.sameAs.empty();
    };
    std::vector<File> files;
    for (auto& [path, seen] : m_seen)
        if (seen.entry.type == FileEntry::Type::File && !seen.isKnown && seen.entry.sameAs.empty()
            && isWanted(path, seen.entry))
            files.push_back({ path, &seen, nullptr, false });
    if (files.empty())
        return {};
    std::ranges::sort(files, {}, &File::path);
    if (auto read = m_visible ? readVisible(files) : Reader(m_link, m_blobs, m_newBytes).read(files); !read)
        return read;
    for (const File& file : files) {
        if (!file.failed)
            m_written.push_back(file.seen->entry.content);
        else
            left.push_back(
                { "file",
                  printableText(file.path.substr(0, 300))
                      + (file.isRefused ? ": it holds a secret" : ": it changed while it was being read") });
    }
    return {};
}

FileMap SnapshotFiles::mapNow() const
{
    FileMap map;
    for (const auto& [path, seen] : m_seen) {
        const bool hasContent = seen.isKnown || !seen.entry.sameAs.empty();
        if (seen.entry.type == FileEntry::Type::File && !hasContent)
            continue; // its loss is reported elsewhere
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
    const Looking looking(*this);
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
    if (const auto claimed = room != nullptr && unread > 0 ? room->claim(unread) : Result<void>(); !claimed) {
        recorded.problem = "files not kept: " + claimed.error().message;
        return recorded;
    }
    m_newBytes = 0;
    auto read = readContents(recorded.left, nullptr);
    if (room != nullptr)
        room->add(m_newBytes);
    if (!read)
        return std::move(read.error());
    FileMap map = mapNow();
    leaveSecretNames(map, recorded.left);
    recorded.files = std::make_shared<const FileMap>(std::move(map));
    m_recorded = recorded;
    return recorded;
}

Result<void> SnapshotFiles::flush()
{
    const std::vector<std::string> written = std::exchange(m_written, {});
    if (written.empty())
        return {};
    return written.size() <= kFewFiles ? m_blobs.flush(written) : m_blobs.flush();
}

} // namespace sg::sessions
