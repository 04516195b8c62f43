#pragma once

#include "core/artifacts/blob_store.h"
#include "core/artifacts/shared_contents.h"
#include "core/base/ids.h"
#include "core/base/relative_path.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// Files that sessions left, stored by content: blobs/ab/cd/<sha256> (0444), with rows in artifacts.sqlite.
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
    std::optional<ThreadId> thread = std::nullopt;
    std::optional<RunId> run = std::nullopt;
    std::optional<std::string> name = std::nullopt;
    std::optional<SessionId> session = std::nullopt;
    std::optional<std::int64_t> limit = std::nullopt; // the newest ones; nullopt: all
};

// The result of verify().
struct ArtifactCheck {
    std::int64_t artifacts = 0;
    std::int64_t contents = 0; // each is read once, however many artifacts share it
    std::uint64_t bytes = 0;
    struct Problem {
        Artifact artifact;
        bool isMissing = false; // false: its content does not match its hash
        std::string text;
    };
    std::vector<Problem> problems;
};

// Says which artifacts a project keeps: the newest that fit. With nothing set it keeps all.
struct Retention {
    std::optional<std::chrono::hours> age;
    std::optional<std::uint64_t> bytes; // of contents, each counted once
    [[nodiscard]] bool isSet() const { return age || bytes; }
};

// The artifacts and contents that collect() removed, or would remove.
struct ArtifactGarbage {
    std::vector<Artifact> expired; // expired by the retention
    std::int64_t contents = 0; // contents that no artifact has any more
    std::uint64_t bytes = 0;
    std::optional<SharedGarbage> shared = std::nullopt; // of the shared place, if there is one
};

struct CollectOptions {
    Retention retention;
    bool dryRun = false;
    bool collectsShared = true; // also in the shared place, if there is one
    // An unused content stays this long after it was stored, because an artifact may be about to use it.
    std::chrono::seconds grace{ 3600 };
    // Tells whether something other than an artifact needs a content. Empty: nothing does.
    std::function<bool(const std::string& sha256)> isHeld{};
    std::stop_token stop{}; // ends a collection in the shared place
};

// Stores one file. Bytes are hashed and stored in one pass; nothing is visible before finish().
class ArtifactWriter {
public:
    virtual ~ArtifactWriter() = default; // without finish(): everything is discarded
    virtual Result<void> write(std::string_view bytes) = 0; // Errc::LimitExceeded over the cap
    virtual Result<Artifact> finish() = 0;
};

// Stores many files together: they are flushed to the disk and added to the list at once. No content is
// collected while a batch lives. It has one owner and one thread.
class ArtifactBatch {
public:
    virtual ~ArtifactBatch() = default; // files that were not committed are in no list
    // The file joins the batch with its writer's finish(). The writer must not outlive the batch.
    virtual Result<std::unique_ptr<ArtifactWriter>> begin(const RelativePath& path, std::int64_t modifiedNs,
                                                          const ArtifactOrigin& origin) = 0;
    // When this returns, all finished files are on disk and in the list; if it fails, none is in the list.
    virtual Result<void> commit() = 0;
};

// Any thread may use it: rows pass through one connection behind a mutex.
class ArtifactStore {
public:
    virtual ~ArtifactStore() = default;
    virtual Result<std::unique_ptr<ArtifactWriter>> begin(const RelativePath& path, std::int64_t modifiedNs,
                                                          const ArtifactOrigin& origin) = 0;
    virtual Result<std::unique_ptr<ArtifactBatch>> beginBatch() = 0;
    virtual Result<std::vector<Artifact>> list(const ArtifactFilter& filter) = 0; // newest first
    virtual Result<Artifact> find(const ArtifactId& id) = 0;
    // Returns where the blob is, for reading and previews only; its hash is not checked.
    // A shared place may have it while that file is missing: fetch() brings it.
    [[nodiscard]] virtual std::filesystem::path blobPath(const Artifact& artifact) const = 0;
    virtual Result<void> fetch(const Artifact& artifact, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual const BlobStore& contents() const = 0;
    // Checks the content against its hash while reading. Errc::Corrupt: it differs; NotFound: it is gone.
    virtual Result<std::string> read(const Artifact& artifact, std::size_t limit) = 0;
    // Reads everything and calls `progress` after each content; false stops it.
    virtual Result<ArtifactCheck> verify(const std::function<bool(const ArtifactCheck&)>& progress) = 0;
    // Removes all of them from the list, or none (Errc::NotFound); collect() removes their contents.
    virtual Result<void> remove(const std::vector<ArtifactId>& ids) = 0;
    // Removes the artifacts that the retention expires, then all unused contents. Files that another program
    // is storing meanwhile are not lost.
    virtual Result<ArtifactGarbage> collect(const CollectOptions& options) = 0;
    // Writes a verified copy (never a link) under a safe name into `folder` and keeps its mtime; if the name
    // is taken, it becomes "plot (2).png".
    virtual Result<std::filesystem::path> exportTo(const Artifact& artifact,
                                                   const std::filesystem::path& folder) = 0;
};

struct ArtifactStoreOptions {
    std::uint64_t maxFileBytes = 4ULL << 30;
    std::shared_ptr<SharedContents> shared =
        nullptr; // of which the folder of contents is the cache; null: none
};
// Returns the line of JSON that tells other machines of an artifact.
std::string sharedLine(const Artifact& artifact);
Result<std::unique_ptr<ArtifactStore>> openArtifactStore(const std::filesystem::path& database,
                                                         const std::filesystem::path& blobs,
                                                         const ArtifactStoreOptions& options = {});

// Makes a name that every desktop accepts: no path parts, control characters or reserved names, and at most
// 120 characters, of which the extension is kept. Unicode normalization stays as it is.
std::string exportName(std::string_view name);

} // namespace sg::artifacts
