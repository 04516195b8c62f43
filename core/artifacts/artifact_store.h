#pragma once

#include "core/base/ids.h"
#include "core/base/relative_path.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Files that sessions left, stored once by content: blobs/ab/cd/<sha256> (0444) plus rows in
// artifacts.sqlite.
namespace sg::artifacts {

struct ArtifactOrigin {
    ThreadId thread;
    RunId run;
    SessionId session;
    NodeId node;
    TaskId task;
    CheckpointId checkpoint; // the superstep's start
    std::int64_t step = 0;
};

struct Artifact {
    ArtifactId id; // "art_" + 24 hex digits
    std::string path; // relative to /session/artifacts
    std::string name; // last part of path
    std::string sha256;
    std::uint64_t size = 0;
    std::string mime; // by name, checked against the first bytes
    std::string createdAt; // ISO 8601, UTC
    std::int64_t modifiedNs = 0; // the file's own mtime
    ArtifactOrigin origin;
};

struct ArtifactFilter {
    std::optional<ThreadId> thread;
    std::optional<RunId> run;
    std::optional<std::string> name;
    std::optional<SessionId> session;
    std::optional<std::int64_t> limit = std::nullopt; // the newest so many; else all
};

// What verify() found.
struct ArtifactCheck {
    std::int64_t artifacts = 0;
    std::int64_t contents = 0; // each is read once, however many artifacts have it
    std::uint64_t bytes = 0;
    struct Problem {
        Artifact artifact;
        bool isMissing = false; // else its content is not what its hash says
        std::string text;
    };
    std::vector<Problem> problems;
};

// Which artifacts a project keeps: the newest that fit. Nothing set: all.
struct Retention {
    std::optional<std::chrono::hours> age;
    std::optional<std::uint64_t> bytes; // of contents, each counted once
    [[nodiscard]] bool isSet() const { return age || bytes; }
};

// What collect() removed, or would.
struct ArtifactGarbage {
    std::vector<Artifact> expired; // by the retention
    std::int64_t contents = 0; // that nothing names any more
    std::uint64_t bytes = 0;
};

struct CollectOptions {
    Retention retention;
    bool dryRun = false;
    // A content that nothing names stays so long after it was stored: something may be about to name it.
    std::chrono::seconds grace{ 3600 };
    // Contents that something beside artifacts needs. Empty: nothing does.
    std::function<bool(const std::string& sha256)> isHeld{};
};

// A file on its way in. Bytes are hashed and stored in one pass; nothing is visible before finish().
class ArtifactWriter {
public:
    virtual ~ArtifactWriter() = default; // without finish(): everything is discarded
    virtual Result<void> write(std::string_view bytes) = 0; // Errc::LimitExceeded over the cap
    virtual Result<Artifact> finish() = 0;
};

// Many files that are stored together: flushed to the disk and put into the list once, not one by one. No
// content is collected while it lives. One owner, one thread.
class ArtifactBatch {
public:
    virtual ~ArtifactBatch() = default; // what was not committed is in no list
    // The writer's finish() makes it one of the batch; it does not outlive that.
    virtual Result<std::unique_ptr<ArtifactWriter>> begin(const RelativePath& path, std::int64_t modifiedNs,
                                                          const ArtifactOrigin& origin) = 0;
    // What was finished so far is on disk and in the list when this returns, or none of it is in the list.
    virtual Result<void> commit() = 0;
};

// Any thread: rows through one connection behind a mutex.
class ArtifactStore {
public:
    virtual ~ArtifactStore() = default;
    virtual Result<std::unique_ptr<ArtifactWriter>> begin(const RelativePath& path, std::int64_t modifiedNs,
                                                          const ArtifactOrigin& origin) = 0;
    virtual Result<std::unique_ptr<ArtifactBatch>> beginBatch() = 0;
    virtual Result<std::vector<Artifact>> list(const ArtifactFilter& filter) = 0; // newest first
    virtual Result<Artifact> find(const ArtifactId& id) = 0;
    // Where the blob lies, for reading and previews only; its hash is not checked.
    [[nodiscard]] virtual std::filesystem::path blobPath(const Artifact& artifact) const = 0;
    // Content checked against the hash while it is read. Errc::Corrupt where it differs, NotFound where it is
    // gone.
    virtual Result<std::string> read(const Artifact& artifact, std::size_t limit) = 0;
    // Reads everything; `progress` after each content, false stops.
    virtual Result<ArtifactCheck> verify(const std::function<bool(const ArtifactCheck&)>& progress) = 0;
    // From the list; their contents go with the next collect(). Errc::NotFound, and then none is removed.
    virtual Result<void> remove(const std::vector<ArtifactId>& ids) = 0;
    // What the retention gives up, then all contents that nothing names. Nothing that another program stores
    // at this moment is lost.
    virtual Result<ArtifactGarbage> collect(const CollectOptions& options) = 0;
    // A verified copy (never a link) under a safe name in `folder`, mtime kept; "plot (2).png" where the name
    // is taken.
    virtual Result<std::filesystem::path> exportTo(const Artifact& artifact,
                                                   const std::filesystem::path& folder) = 0;
};

struct ArtifactStoreOptions {
    std::uint64_t maxFileBytes = 4ULL << 30;
};
Result<std::unique_ptr<ArtifactStore>> openArtifactStore(const std::filesystem::path& database,
                                                         const std::filesystem::path& blobs,
                                                         const ArtifactStoreOptions& options = {});

// A name that every desktop accepts: UI rules of "Names" (NFC where it is, no path parts, no control
// characters, no reserved names, at most 120 characters keeping the extension).
std::string exportName(std::string_view name);

} // namespace sg::artifacts
