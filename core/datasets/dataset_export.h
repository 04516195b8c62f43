#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/session.h"

#include <filesystem>
#include <functional>
#include <string>

namespace sg::datasets {

// The place of exports: as copies in `folder`, as artifacts of `origin` in `store`. References are borrowed
// for the call. The session fills in the origin's thread and session.
struct ExportPlace {
    const std::filesystem::path& folder;
    artifacts::ArtifactStore& store;
    const artifacts::ArtifactOrigin& origin;
    const Clock& clock;
};

struct ExportedFile {
    std::filesystem::path copy; // exports/20260102_030405_name
    artifacts::Artifact artifact;
};

// Reads a file of the session (below /session or /data) once and stores it as a copy with a timestamped name
// in the folder and as an artifact. Errc::InvalidArgument: the path is elsewhere, or names no regular file.
Result<ExportedFile> exportFromSession(sessions::Session& session, const std::string& path,
                                       const ExportPlace& to, const std::function<bool()>& goesOn);

} // namespace sg::datasets
