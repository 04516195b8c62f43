#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sessions/session.h"

#include <filesystem>
#include <functional>
#include <string>

namespace sg::datasets {

struct ExportedFile {
    std::filesystem::path copy; // exports/20260102_030405_name
    artifacts::Artifact artifact;
};

// Reads a file of the session (below /session or /data) once and stores it as a copy with a timestamped name
// in `folder` and as an artifact. Errc::InvalidArgument: the path is elsewhere, or names no regular file.
Result<ExportedFile> exportFromSession(sessions::Session& session, const std::string& path,
                                       const std::filesystem::path& folder, artifacts::ArtifactStore& store,
                                       const Clock& clock, const std::function<bool()>& goesOn);

} // namespace sg::datasets
