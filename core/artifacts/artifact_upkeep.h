#pragma once

#include "core/artifacts/artifact_index.h"
#include "core/artifacts/artifact_store.h"
#include "core/artifacts/blob_store.h"
#include "core/base/child_process.h"
#include "core/base/clock.h"

#include <filesystem>
#include <functional>

// These functions implement ArtifactStore::verify() and collect().
namespace sg::artifacts {

// A lock between all programs that use the store: those that add files share it, removing needs it alone.
class StoreLock {
public:
    enum class Kind { Add, Remove };
    static Result<StoreLock> take(const std::filesystem::path& blobs, Kind kind); // waits

private:
    explicit StoreLock(Fd fd)
        : m_fd(std::move(fd))
    {
    }
    Fd m_fd; // closing it ends the lock
};

// Notes new contents for their upload to the shared place, if there is one. It is called before their rows
// are added: a crash may leave an upload without a row, never the reverse.
Result<void> promiseAll(const BlobStore& blobs, const std::vector<Artifact>& artifacts);

Result<ArtifactCheck> verifyAll(ArtifactIndex& index, const BlobStore& blobs,
                                const std::function<bool(const ArtifactCheck&)>& progress);
// Takes artifacts newest first and returns those that expire.
std::vector<Artifact> expiredOf(const std::vector<Artifact>& all, const Retention& retention, WallTime now);
Result<ArtifactGarbage> collectAll(ArtifactIndex& index, const BlobStore& blobs,
                                   const std::filesystem::path& root, const CollectOptions& options,
                                   WallTime now);
// Removes what neither this folder nor another names, from the shared place. `expired`: artifacts that are no
// longer named, though a dry run left them in the list.
Result<SharedGarbage> collectShared(ArtifactIndex& index, SharedContents& shared,
                                    const std::filesystem::path& root, const CollectOptions& options,
                                    const std::vector<Artifact>& expired);

} // namespace sg::artifacts
