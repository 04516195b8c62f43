#pragma once

#include "core/artifacts/artifact_index.h"
#include "core/artifacts/artifact_store.h"
#include "core/artifacts/blob_store.h"
#include "core/base/child_process.h"
#include "core/base/clock.h"

#include <filesystem>
#include <functional>

// What keeps a store of artifacts in order: see ArtifactStore::verify() and collect().
namespace sg::artifacts {

// Among all programs that use the store: those that add hold it together, who removes contents holds it
// alone.
class StoreLock {
public:
    enum class Kind { Add, Remove };
    static Result<StoreLock> take(const std::filesystem::path& blobs, Kind kind); // waits

private:
    explicit StoreLock(Fd fd)
        : m_fd(std::move(fd))
    {
    }
    Fd m_fd; // the lock goes with it
};

Result<ArtifactCheck> verifyAll(ArtifactIndex& index, const BlobStore& blobs,
                                const std::function<bool(const ArtifactCheck&)>& progress);
// Newest first in, what is given up out.
std::vector<Artifact> expiredOf(const std::vector<Artifact>& all, const Retention& retention, WallTime now);
Result<ArtifactGarbage> collectAll(ArtifactIndex& index, const BlobStore& blobs,
                                   const std::filesystem::path& root, const CollectOptions& options,
                                   WallTime now);

} // namespace sg::artifacts
