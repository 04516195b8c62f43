#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/relative_path.h"
#include "core/sessions/runner/runner_link.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace sg::sessions {

// A file as the runner has listed it.
struct ListedFile {
    std::string path; // relative to /session/artifacts
    std::int64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t inode = 0;
    auto operator<=>(const ListedFile&) const = default;
};

// A file on its way into the store, with its outcome.
struct IncomingArtifact {
    ListedFile file;
    RelativePath path;
    std::optional<Result<artifacts::Artifact>> stored{};
    std::string leftBehind{}; // why a stored file could not be removed from the session
    [[nodiscard]] bool isStored() const { return stored && *stored; }
};

inline constexpr const char* kChangedMeanwhile =
    "it was still being written; it is taken after the next cell if it stays as it is";

// IntakeBatch takes many small files at once: an answer of the runner holds some hundreds, and thousands are
// flushed to disk and listed in the store together. Only stored files are removed from the session. One
// owner, one thread.
class IntakeBatch {
public:
    static constexpr std::int64_t kLargest = 2 << 20; // bytes; larger files are taken one by one

    IntakeBatch(RunnerLink& link, artifacts::ArtifactStore& store, const artifacts::ArtifactOrigin& origin,
                std::stop_token stop)
        : m_link(link)
        , m_store(store)
        , m_origin(origin)
        , m_stop(std::move(stop))
    {
    }

    // Calls `progress` with the number of files taken so far. Files without an outcome are to be taken one by
    // one: an older runner does not know these requests. An error means that the link to the runner failed;
    // files that had come until then are stored.
    Result<void> take(std::span<IncomingArtifact> files, const std::function<void(std::size_t)>& progress);

private:
    Result<void> fetch(std::span<IncomingArtifact> files, artifacts::ArtifactBatch& batch);
    Result<RunnerLink::Exchange> ask(std::span<const IncomingArtifact> files);
    Result<std::optional<Value>> contentsOf(RunnerLink::Exchange& asked);
    Result<artifacts::Artifact> keep(const IncomingArtifact& file, const Value& content,
                                     artifacts::ArtifactBatch& batch) const;
    Result<void> remove(std::span<IncomingArtifact> files);

    RunnerLink& m_link;
    artifacts::ArtifactStore& m_store;
    const artifacts::ArtifactOrigin& m_origin;
    const std::stop_token m_stop;
};

} // namespace sg::sessions
