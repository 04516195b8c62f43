#include "core/artifacts/artifact_upkeep.h"

#include "core/base/errno_error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace sg::artifacts {
namespace {

namespace fs = std::filesystem;

struct Content {
    std::string sha256;
    fs::path file;
    std::uint64_t bytes = 0;
    bool isOld = false;
};

bool isHex(const std::string& text, std::size_t length)
{
    return text.size() == length && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Returns only files whose place fits their name.
Result<std::vector<Content>> contentsOf(const fs::path& root, WallTime before)
{
    std::vector<Content> contents;
    std::error_code failed;
    const auto walk = [&failed](const fs::path& folder, std::size_t letters, const auto& each) {
        std::error_code unreadable;
        for (fs::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
             entry.increment(unreadable))
            if (isHex(entry->path().filename().string(), letters))
                each(entry->path());
        failed = unreadable ? unreadable : failed;
    };
    walk(root, 2, [&](const fs::path& first) {
        walk(first, 2, [&](const fs::path& second) {
            walk(second, 64, [&](const fs::path& file) {
                struct stat info { };
                const std::string name = file.filename().string();
                const bool isPlaced =
                    name.substr(0, 2) == first.filename() && name.substr(2, 2) == second.filename();
                if (!isPlaced || ::lstat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
                    return;
                const auto stored = std::chrono::system_clock::from_time_t(info.st_ctime);
                contents.push_back(
                    { name, file, static_cast<std::uint64_t>(info.st_size), stored <= before });
            });
        });
    });
    if (failed)
        return errnoError(failed.value(), "read the folder " + root.string());
    return contents;
}

} // namespace

Result<StoreLock> StoreLock::take(const fs::path& blobs, Kind kind)
{
    const fs::path file = blobs / "lock";
    Fd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    while (fd.isOpen() && ::flock(fd.get(), kind == Kind::Add ? LOCK_SH : LOCK_EX) != 0)
        if (errno != EINTR)
            return errnoError(errno, "lock " + file.string());
    if (!fd.isOpen())
        return errnoError(errno, "open " + file.string());
    return StoreLock(std::move(fd));
}

Result<void> promiseAll(const BlobStore& blobs, const std::vector<Artifact>& artifacts)
{
    if (blobs.shared() == nullptr)
        return {};
    std::vector<SharedContents::Named> named;
    named.reserve(artifacts.size());
    for (const Artifact& artifact : artifacts)
        named.push_back({ artifact.sha256, artifact.size, sharedLine(artifact) });
    return blobs.shared()->promise(named);
}

Result<ArtifactCheck> verifyAll(ArtifactIndex& index, const BlobStore& blobs,
                                const std::function<bool(const ArtifactCheck&)>& progress)
{
    const auto all = index.list({});
    if (!all)
        return all.error();
    ArtifactCheck check;
    std::map<std::string, std::pair<Errc, std::string>> bad; // by hash
    std::set<std::string> seen;
    for (const Artifact& artifact : *all) {
        ++check.artifacts;
        if (seen.insert(artifact.sha256).second) {
            ++check.contents;
            const auto read = blobs.read(artifact.sha256, [&](std::string_view bytes) -> Result<void> {
                check.bytes += bytes.size();
                return {};
            });
            if (!read)
                bad.emplace(artifact.sha256, std::pair(read.error().code, read.error().message));
        }
        if (const auto found = bad.find(artifact.sha256); found != bad.end())
            check.problems.push_back(
                { artifact, found->second.first == Errc::NotFound, found->second.second });
        if (progress && !progress(check))
            return Error{ Errc::Cancelled,
                          "stopped after " + std::to_string(check.artifacts) + " artifacts" };
    }
    return check;
}

std::vector<Artifact> expiredOf(const std::vector<Artifact>& all, const Retention& retention, WallTime now)
{
    std::vector<Artifact> expired;
    const std::string oldest = retention.age ? isoTime(now - *retention.age) : std::string();
    std::set<std::string> kept;
    std::uint64_t bytes = 0;
    bool isFull = false; // everything older than the first one that does not fit expires, too
    for (const Artifact& artifact : all) {
        const std::uint64_t more = kept.contains(artifact.sha256) ? 0 : artifact.size;
        isFull = isFull || (retention.bytes && bytes + more > *retention.bytes);
        // Both are ISO texts in UTC, so they compare as times do, to the second.
        const bool isOld = retention.age && artifact.createdAt.substr(0, 19) < oldest.substr(0, 19);
        if (isOld || isFull) {
            expired.push_back(artifact);
            continue;
        }
        kept.insert(artifact.sha256);
        bytes += more;
    }
    return expired;
}

Result<SharedGarbage> collectShared(ArtifactIndex& index, SharedContents& shared, const fs::path& root,
                                    const CollectOptions& options, const std::vector<Artifact>& expired)
{
    SharedContents::Collect wanted;
    wanted.dryRun = options.dryRun;
    wanted.grace = options.grace;
    auto told = shared.told(options.stop); // without the lock: it is asked over the network
    if (!told)
        return std::move(told.error());
    wanted.told = std::move(*told);
    {
        // A writer that had told one of these lines and not yet added its row has added it by now.
        const auto lock = StoreLock::take(root, StoreLock::Kind::Remove);
        if (!lock)
            return lock.error();
        const auto all = index.list({});
        if (!all)
            return all.error();
        std::set<ArtifactId> gone;
        for (const Artifact& artifact : expired)
            gone.insert(artifact.id);
        for (const Artifact& artifact : *all)
            if (!gone.contains(artifact.id))
                wanted.named.push_back({ artifact.sha256, artifact.size, sharedLine(artifact) });
    }
    return shared.collect(wanted, options.stop);
}

Result<ArtifactGarbage> collectAll(ArtifactIndex& index, const BlobStore& blobs, const fs::path& root,
                                   const CollectOptions& options, WallTime now)
{
    const auto lock = StoreLock::take(root, StoreLock::Kind::Remove);
    if (!lock)
        return lock.error();
    ArtifactGarbage garbage;
    auto all = index.list({});
    if (!all)
        return std::move(all.error());
    garbage.expired = expiredOf(*all, options.retention, now);
    std::set<std::string> named;
    std::set<std::string> given; // contents of the artifacts that expire now
    std::vector<ArtifactId> ids;
    for (const Artifact& artifact : garbage.expired)
        ids.push_back(artifact.id);
    const std::set<ArtifactId> gone(ids.begin(), ids.end());
    for (const Artifact& artifact : *all)
        (gone.contains(artifact.id) ? given : named).insert(artifact.sha256);
    if (!options.dryRun && !ids.empty())
        if (auto removed = index.remove(ids); !removed)
            return std::move(removed.error());
    const auto isWanted = [&](const std::string& sha256) {
        return named.contains(sha256) || (options.isHeld && options.isHeld(sha256));
    };
    if (!options.dryRun && blobs.shared() != nullptr)
        if (auto forgotten = blobs.shared()->forgetUnwanted(isWanted); !forgotten)
            return std::move(forgotten.error());
    const auto contents = contentsOf(root, now - options.grace);
    if (!contents)
        return contents.error();
    for (const Content& content : *contents) {
        if (isWanted(content.sha256) || (!content.isOld && !given.contains(content.sha256)))
            continue;
        if (!options.dryRun && ::unlink(blobs.path(content.sha256).c_str()) != 0 && errno != ENOENT)
            return errnoError(errno, "remove " + content.file.string());
        ++garbage.contents;
        garbage.bytes += content.bytes;
    }
    return garbage;
}

} // namespace sg::artifacts
