#include "core/datasets/dataset_export.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/printable.h"
#include "core/base/redaction.h"
#include "core/sessions/runner/session_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace sg::datasets {
namespace {

constexpr int kMostSameNames = 1000;
constexpr std::int64_t kMostExported = 32LL << 30; // bytes of all files in a folder of exports
constexpr int kMostExports = 20'000;

struct Place {
    sessions::FileRoot root;
    RelativePath path;
};

Result<Place> placeOf(const std::string& path)
{
    if (holdsSecret(path)) // checked before the name is shortened
        return Error{ Errc::InvalidArgument, "the file's name holds a secret; give it another" };
    std::string rest = path;
    auto root = sessions::FileRoot::Session;
    if (rest.starts_with("/data/") || rest.starts_with("/session/data/")) {
        root = rest.starts_with("/data/") ? sessions::FileRoot::Data : root;
        rest.erase(0, root == sessions::FileRoot::Data ? 6 : 9);
    } else if (rest.starts_with("/session/")) {
        rest.erase(0, 9);
    } else if (rest.starts_with("/")) {
        return Error{ Errc::InvalidArgument,
                      "'" + printableText(path.substr(0, 200)) + "' lies neither in /session nor in /data" };
    }
    auto relative = RelativePath::parse(rest);
    if (!relative)
        return relative.error();
    return Place{ root, std::move(*relative) };
}

// Turns "2026-01-02T03:04:05…" into "20260102_030405".
std::string stampOf(const Clock& clock)
{
    std::string digits;
    for (const char c : isoTime(clock.now()))
        if (c >= '0' && c <= '9' && digits.size() < 14)
            digits += c;
    return digits.substr(0, 8) + "_" + digits.substr(8);
}

// Limits everything that session code has exported so far, because nobody watches it being written.
Result<void> checkRoom(const fs::path& folder, std::int64_t size)
{
    std::int64_t bytes = size;
    int files = 0;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code gone;
        const auto one = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
        bytes += gone ? 0 : static_cast<std::int64_t>(one);
        ++files;
    }
    if (bytes <= kMostExported && files < kMostExports)
        return {};
    return Error{ Errc::LimitExceeded,
                  "the exports in " + folder.string() + " would come to " + std::to_string(bytes >> 20)
                      + " MB in " + std::to_string(files + 1) + " files; at most "
                      + std::to_string(kMostExported >> 20) + " MB in " + std::to_string(kMostExports)
                      + " are kept. Remove some" };
}

// Creates a file next to others of the same second and never replaces one.
Result<std::pair<Fd, fs::path>> createCopy(const fs::path& folder, const std::string& stamp,
                                           const std::string& name)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        return Error{ Errc::Io, "create " + folder.string() + ": " + failed.message() };
    for (int i = 1; i <= kMostSameNames; ++i) {
        fs::path path = folder / (stamp + (i > 1 ? "-" + std::to_string(i) : "") + "_" + name);
        Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
        if (file.isOpen())
            return std::pair(std::move(file), std::move(path));
        if (errno != EEXIST)
            return errnoError(errno, "create " + path.string());
    }
    return Error{ Errc::Exists, "too many exports of this name in one second" };
}

Result<void> writeAll(const Fd& file, std::string_view bytes, const fs::path& path)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errnoError(errno, "write " + path.string());
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

} // namespace

Result<ExportedFile> exportFromSession(sessions::Session& session, const std::string& path,
                                       const ExportPlace& to, const std::function<bool()>& goesOn)
{
    const auto place = placeOf(path);
    if (!place)
        return place.error();
    const auto link = session.link();
    if (!link)
        return Error{ Errc::Unavailable, "the session has no sandbox now" };
    const auto seen = lookAtSessionFile(*link, place->root, place->path);
    if (!seen)
        return seen.error();
    if (auto room = checkRoom(to.folder, seen->size); !room)
        return std::move(room.error());
    const std::string stamp = stampOf(to.clock);
    const std::string name = artifacts::exportName(place->path.name());
    const auto artifactPath = RelativePath::parse("exports/" + stamp + "_" + name);
    if (!artifactPath)
        return artifactPath.error();
    const sessions::SessionInfo info = session.info();
    artifacts::ArtifactOrigin origin = to.origin;
    origin.thread = info.thread;
    origin.session = info.id;
    auto writer = to.store.begin(*artifactPath, seen->modifiedNs, origin);
    if (!writer)
        return writer.error();
    auto copy = createCopy(to.folder, stamp, name);
    if (!copy)
        return copy.error();
    const auto taken = [&](std::string_view bytes) -> Result<void> {
        if (!goesOn())
            return Error{ Errc::Cancelled, "it was stopped" };
        if (auto written = (*writer)->write(bytes); !written)
            return written;
        return writeAll(copy->first, bytes, copy->second);
    };
    const auto read = readSessionFile(*link, place->root, place->path, taken);
    std::optional<Error> failure;
    if (!read)
        failure = read.error();
    else if (::fsync(copy->first.get()) != 0)
        failure = errnoError(errno, "write " + copy->second.string());
    if (!failure) {
        if (auto artifact = (*writer)->finish())
            return ExportedFile{ copy->second, std::move(*artifact) };
        else
            failure = artifact.error();
    }
    std::error_code ignored;
    fs::remove(copy->second, ignored);
    return *failure;
}

} // namespace sg::datasets
