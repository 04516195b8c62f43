#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

// These functions carry the contents of a project's artifacts to another place. What is there already is not
// carried again, so a move that was broken off goes on where it ended.
namespace sg::upkeep {

struct ContentMove {
    std::int64_t artifacts = 0;
    std::int64_t contents = 0; // of them, each once
    std::uint64_t bytes = 0;
    std::int64_t carried = 0; // contents that were not there yet
    std::uint64_t carriedBytes = 0;
    std::int64_t waiting = 0; // that could not be carried now
    std::string fault; // why
    std::vector<std::string> lost; // "art_…: why": artifacts whose content is nowhere, or damaged
};
using MoveProgress = std::function<void(const ContentMove&)>;

// Brings all contents to the shared place of `store`, and compares what is there at the end: each with its
// size. `former`: where contents are that the folder lacks, if they were in another shared place; null:
// nowhere.
Result<ContentMove> moveToShared(artifacts::ArtifactStore& store, artifacts::SharedContents* former,
                                 const MoveProgress& progress, const std::stop_token& stop);

// Brings all contents from the shared place into the folder and reads each, comparing it with its hash.
Result<ContentMove> moveToFolder(artifacts::ArtifactStore& store, const MoveProgress& progress,
                                 const std::stop_token& stop);

} // namespace sg::upkeep
