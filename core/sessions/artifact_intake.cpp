#include "core/sessions/artifact_intake.h"

#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/base/relative_path.h"
#include "core/sessions/frame.h"
#include "core/sessions/piece_queue.h"
#include "core/sessions/visible_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

namespace sg::sessions {
namespace {

using Exchange = RunnerLink::Exchange;

constexpr std::int64_t kChunk = 1 << 20;
constexpr std::size_t kAhead = 3; // chunks asked for before the first has come
constexpr std::int64_t kWorthOpening = 2 << 20; // smaller ones come by the runner as fast
constexpr std::size_t kMostWarnings = 50;
constexpr std::size_t kMostReason = 200;
constexpr Millis kAnswerTime{ 30'000 };

const char* const kChanged =
    "it was still being written; it is taken after the next cell if it stays as it is";

// Not the file's own fault: a node whose artifact is lost by it must not count as done.
bool isOfThisMachine(Errc code)
{
    return code == Errc::NoSpace || code == Errc::Io || code == Errc::PermissionDenied || code == Errc::Busy;
}

ValueMap readRequest(const std::string& path, std::int64_t inode, std::int64_t offset)
{
    return { { "op", "read_file" },
             { "path", path },
             { "inode", inode },
             { "offset", offset },
             { "length", kChunk } };
}

} // namespace

void ArtifactIntake::warn(CellResult& result, const std::string& path, const std::string& reason)
{
    std::string text = "artifacts/" + printableText(withoutSecrets(path).substr(0, kMostReason)) + ": "
        + printableText(reason);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (!m_warnedNow.insert(text).second || m_warned.contains(text))
        return;
    if (result.warnings.size() >= kMostWarnings)
        ++m_unsaid;
    else
        result.warnings.push_back(std::move(text));
}

Result<void> ArtifactIntake::collect(RunnerLink& link, const artifacts::ArtifactOrigin& origin,
                                     std::stop_token stop, CellResult& result, sandbox::FolderView* view)
{
    m_view = view;
    const auto listed = link.ask({ { "op", "list_files" } }, "files", kAnswerTime);
    if (!listed) {
        // The code may have removed the folder: then there are no artifacts.
        if (listed.error().code == Errc::InvalidArgument)
            return {};
        return listed.error();
    }
    const Value& files = listed->body["files"];
    const Value& refused = listed->body["refused"];
    if (!files.isList() || !refused.isList())
        return brokenProtocol("a list of files that is none");
    m_warnedNow.clear();
    m_unsaid = 0;
    m_tooLargeBefore = std::exchange(m_tooLarge, {});
    takeRefused(refused, result);
    for (const Value& entry : files.asList())
        if (auto taken = takeFile(link, entry, origin, stop, result); !taken)
            return taken;
    if (listed->body.boolOr("more", false))
        warn(result, "…",
             "there are more files than are taken after one cell; the rest follows after the next");
    if (m_unsaid > 0)
        result.warnings.push_back("artifacts: " + std::to_string(m_unsaid) + " more files were not stored");
    m_warned = m_warnedNow;
    return {};
}

void ArtifactIntake::takeRefused(const Value& refused, CellResult& result)
{
    for (const Value& entry : refused.asList()) {
        const Value& path = entry["path"];
        const std::string name = path.isString() ? path.asString() : path.isBytes() ? path.asBytes() : "?";
        warn(result, name, entry.stringOr("reason", "refused").substr(0, kMostReason) + ", not stored");
    }
}

Result<ArtifactIntake::Listed> ArtifactIntake::listedOf(const Value& entry)
{
    const Value& path = entry["path"];
    Listed file;
    file.size = entry.intOr("size", -1);
    file.modifiedNs = entry.intOr("mtime_ns", 0);
    file.inode = entry.intOr("inode", -1);
    if (!(path.isString() || path.isBytes()) || file.size < 0 || file.inode < 0)
        return brokenProtocol("a listed file without path, size or inode");
    file.path = path.isString() ? path.asString() : path.asBytes();
    return file;
}

Result<void> ArtifactIntake::takeFile(RunnerLink& link, const Value& entry,
                                      const artifacts::ArtifactOrigin& origin, std::stop_token stop,
                                      CellResult& result)
{
    const auto file = listedOf(entry);
    if (!file)
        return file.error();
    const auto path = RelativePath::parse(file->path);
    if (!path) {
        warn(result, file->path, "a name that cannot be kept, not stored; rename it");
        return {};
    }
    if (holdsSecret(file->path)) {
        warn(result, "…", "a file whose name holds a secret, not stored; rename it");
        return {};
    }
    if (m_tooLargeBefore.contains(*file)) {
        m_tooLarge.insert(*file);
        return {};
    }
    if (stop.stop_requested()) {
        warn(result, file->path, "not stored because the run was stopped; it is taken after the next cell");
        return {};
    }
    auto stored = store(link, *file, *path, origin, stop);
    if (!stored) {
        if (const auto failure = link.failure())
            return *failure;
        if (stored.error().code == Errc::LimitExceeded)
            m_tooLarge.insert(*file);
        if (isOfThisMachine(stored.error().code) && !result.storeFailure)
            result.storeFailure = "artifacts/" + printableText(file->path.substr(0, kMostReason)) + ": "
                + stored.error().message;
        warn(result, file->path, stored.error().message + "; it stays in the session");
        return {};
    }
    result.artifacts.push_back(std::move(*stored));
    const auto removed =
        link.ask({ { "op", "remove_file" }, { "path", file->path }, { "inode", file->inode } }, "removed",
                 kAnswerTime);
    if (removed)
        return {};
    if (removed.error().code != Errc::InvalidArgument)
        return removed.error();
    warn(result, file->path,
         "stored, but it could not be removed from the session: " + removed.error().message);
    return {};
}

Result<artifacts::Artifact> ArtifactIntake::store(RunnerLink& link, const Listed& file,
                                                  const RelativePath& path,
                                                  const artifacts::ArtifactOrigin& origin,
                                                  std::stop_token stop)
{
    auto writer = m_store.begin(path, file.modifiedNs, origin);
    if (!writer)
        return writer.error();
    auto seen =
        m_view != nullptr && file.size >= kWorthOpening ? copySeen(file, **writer, stop) : std::nullopt;
    if (auto copied = seen ? std::move(*seen) : copy(link, file, **writer, stop); !copied)
        return copied.error();
    return (*writer)->finish();
}

namespace {

bool isAsListed(int fd, std::int64_t size, std::int64_t modifiedNs)
{
    struct stat now { };
    return ::fstat(fd, &now) == 0 && now.st_nlink == 1 && now.st_size == size
        && now.st_mtim.tv_sec * 1'000'000'000LL + now.st_mtim.tv_nsec == modifiedNs;
}

// The whole file in pieces, until nobody wants more or it ends.
void readPieces(int fd, std::int64_t size, PieceQueue<std::string>& pieces, const std::stop_token& stop)
{
    for (std::int64_t left = size; left > 0 && !stop.stop_requested();) {
        std::string piece(static_cast<std::size_t>(std::min(left, kChunk)), '\0');
        const ssize_t got = ::read(fd, piece.data(), piece.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        left -= got;
        piece.resize(static_cast<std::size_t>(got));
        if (!pieces.put(std::move(piece)))
            break;
    }
    pieces.finish();
}

} // namespace

// Read by one thread while another hashes and writes.
std::optional<Result<void>> ArtifactIntake::copySeen(const Listed& file, artifacts::ArtifactWriter& writer,
                                                     const std::stop_token& stop)
{
    auto folder = m_view->openSessionFolder();
    if (!folder)
        return std::nullopt;
    const VisibleFolder visible(std::move(*folder));
    const auto fd = visible.openFile("artifacts/" + file.path, file.inode);
    if (!fd || !isAsListed(fd->get(), file.size, file.modifiedNs))
        return std::nullopt;
    PieceQueue<std::string> pieces;
    const std::jthread reader([&] { readPieces(fd->get(), file.size, pieces, stop); });
    std::int64_t taken = 0;
    while (const auto piece = pieces.take()) {
        if (auto written = writer.write(*piece); !written) {
            pieces.abandon();
            return written;
        }
        taken += static_cast<std::int64_t>(piece->size());
    }
    if (stop.stop_requested())
        return Error{ Errc::Cancelled, "the run was stopped" };
    if (taken != file.size || !isAsListed(fd->get(), file.size, file.modifiedNs))
        return Error{ Errc::Conflict, kChanged };
    return Result<void>();
}

Result<void> ArtifactIntake::copy(RunnerLink& link, const Listed& file, artifacts::ArtifactWriter& writer,
                                  std::stop_token stop)
{
    std::deque<Exchange> asked;
    std::int64_t askedTo = 0;
    for (std::int64_t offset = 0; offset == 0 || offset < file.size;) {
        while (asked.size() < kAhead && (askedTo == 0 || askedTo < file.size)) {
            auto exchange = link.begin(readRequest(file.path, file.inode, askedTo));
            if (!exchange)
                return exchange.error();
            asked.push_back(std::move(*exchange));
            askedTo += kChunk;
        }
        const auto answer = asked.front().next(std::chrono::steady_clock::now() + kAnswerTime);
        if (!answer) {
            if (answer.error().code == Errc::Timeout)
                link.close({ Errc::Timeout, "the session's runner did not answer while a file was read" });
            return answer.error();
        }
        asked.pop_front();
        if (answer->event == "problem")
            return Error{ Errc::InvalidArgument,
                          answer->body["error"].stringOr("message", "it cannot be read") };
        const Value& data = answer->body["data"];
        if (answer->event != "file" || !data.isBytes()) {
            link.close(brokenProtocol("a part of a file that is none"));
            return brokenProtocol("a part of a file that is none");
        }
        const auto expected = std::min(kChunk, file.size - offset);
        if (static_cast<std::int64_t>(data.asBytes().size()) != expected
            || answer->body.intOr("size", -1) != file.size
            || answer->body.intOr("mtime_ns", 0) != file.modifiedNs)
            return Error{ Errc::Conflict, kChanged };
        if (auto written = writer.write(data.asBytes()); !written)
            return written;
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "the run was stopped" };
        offset += kChunk;
    }
    return {};
}

} // namespace sg::sessions
