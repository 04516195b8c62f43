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

// A file as the runner lists it.
struct ListedFile {
    std::string path; // relative to /session/artifacts
    std::int64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t inode = 0;
    auto operator<=>(const ListedFile&) const = default;
};

// A file on its way into the store, and what became of it.
struct IncomingArtifact {
    ListedFile file;
    RelativePath path;
    std::optional<Result<artifacts::Artifact>> stored{};
    std::string leftBehind{}; // stored, and why it could not be removed from the session
    [[nodiscard]] bool isStored() const { return stored && *stored; }
};

inline constexpr const char* kChangedMeanwhile =
    "it was still being written; it is taken after the next cell if it stays as it is";

// Takes many small files at once: some hundred come with one answer, and thousands are flushed to the disk
// and put into the list together. Only what is stored is removed from the session. One owner, one thread.
class IntakeBatch {
public:
    static constexpr std::int64_t kLargest = 2 << 20; // bytes of a file; larger ones go one by one

    IntakeBatch(RunnerLink& link, artifacts::ArtifactStore& store, const artifacts::ArtifactOrigin& origin,
                std::stop_token stop)
        : m_link(link)
        , m_store(store)
        , m_origin(origin)
        , m_stop(std::move(stop))
    {
    }

    // `progress` gets how many were taken so far. What has no outcome when this returns is to be taken one by
    // one: an older runner knows no such requests. An error means that the link to the runner failed; what
    // had come until then is stored.
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
