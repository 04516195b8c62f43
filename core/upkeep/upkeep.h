#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/history/history.h"
#include "core/projects/project.h"

namespace sg::sessions {
class SessionRecords;
}

namespace sg::upkeep {

// The parts of an open project that upkeep works on. They must outlive the work.
struct ProjectParts {
    const projects::ProjectPaths& project;
    history::History& history;
    artifacts::ArtifactStore& artifacts;
    sessions::SessionRecords* records = nullptr; // null if there are none
    bool isReadOnly = false;
};

} // namespace sg::upkeep
