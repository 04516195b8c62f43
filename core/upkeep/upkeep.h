#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/history/history.h"
#include "core/projects/project.h"

namespace sg::sessions {
class SessionRecords;
}

namespace sg::upkeep {

// What upkeep works on: parts of a project that is open, and that outlive the work.
struct ProjectParts {
    const projects::ProjectPaths& project;
    history::History& history;
    artifacts::ArtifactStore& artifacts;
    sessions::SessionRecords* records = nullptr; // null where there are none
    bool isReadOnly = false;
};

} // namespace sg::upkeep
