#include "core/sessions/live/artifact_copy.h"

#include "core/sessions/runner/frame.h"
#include "core/sessions/runner/piece_queue.h"
#include "core/sessions/snapshots/visible_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

namespace sg::sessions {
namespace {

using Exchange = RunnerLink::Exchange;

constexpr std::int64_t kChunk = 1 << 20;
constexpr std::size_t kAhead = 3; // chunks asked for before the first has come
constexpr Millis kAnswerTime{ 30'000 };

ValueMap readRequest(const std::string& path, std::int64_t inode, std::int64_t offset)
{
    return { { "op", "read_file" },
             { "path", path },
             { "inode", inode },
             { "offset", offset },
             { "length", kChunk } };
}

bool isAsListed(int fd, std::int64_t size, std::int64_t modifiedNs)
{
    struct stat now { };
    return ::fstat(fd, &now) == 0 && now.st_nlink == 1 && now.st_size == size
        && now.st_mtim.tv_sec * 1'000'000'000LL + now.st_mtim.tv_nsec == modifiedNs;
}

// Reads the file to its end, or until the consumer has abandoned the queue.
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

// One thread reads the file while another hashes and writes it. nullopt: the file cannot be opened from here.
std::optional<Result<void>> copySeen(const ListedFile& file, artifacts::ArtifactWriter& writer,
                                     const std::stop_token& stop, sandbox::FolderView& view)
{
    auto folder = view.openSessionFolder();
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
        return Error{ Errc::Conflict, kChangedMeanwhile };
    return Result<void>();
}

Result<void> copyAsked(RunnerLink& link, const ListedFile& file, artifacts::ArtifactWriter& writer,
                       const std::stop_token& stop)
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
            return Error{ Errc::Conflict, kChangedMeanwhile };
        if (auto written = writer.write(data.asBytes()); !written)
            return written;
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "the run was stopped" };
        offset += kChunk;
    }
    return {};
}

} // namespace

Result<void> copyArtifact(RunnerLink& link, const ListedFile& file, artifacts::ArtifactWriter& writer,
                          const std::stop_token& stop, sandbox::FolderView* view)
{
    if (view != nullptr && file.size >= IntakeBatch::kLargest) // the runner sends smaller ones as fast
        if (auto seen = copySeen(file, writer, stop, *view))
            return std::move(*seen);
    return copyAsked(link, file, writer, stop);
}

} // namespace sg::sessions
