#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/sqlite/db.h"

#include <filesystem>
#include <mutex>
#include <vector>

namespace sg::artifacts {

// The rows of artifacts.sqlite: one for each stored file; several may share a content. Any thread.
class ArtifactIndex {
public:
    // Errc::Unsupported: a newer version wrote it.
    static Result<std::unique_ptr<ArtifactIndex>> open(const std::filesystem::path& database);

    Result<void> insert(const std::vector<Artifact>& artifacts); // all or none
    Result<std::vector<Artifact>> list(const ArtifactFilter& filter); // newest first
    Result<Artifact> find(const ArtifactId& id);
    // Removes all or none (Errc::NotFound).
    Result<void> remove(const std::vector<ArtifactId>& ids);
    // Tells whether some artifact has this content.
    Result<bool> names(const std::string& sha256);

private:
    explicit ArtifactIndex(sqlite::Db db)
        : m_db(std::move(db))
    {
    }
    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
};

} // namespace sg::artifacts
