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

// A file of the session (beneath /session or /data), in one pass, as a copy under a timestamped name in
// `folder` and as an artifact. Errc::InvalidArgument for a path elsewhere and for what is no regular file.
Result<ExportedFile> exportFromSession(sessions::Session& session, const std::string& path,
                                       const std::filesystem::path& folder, artifacts::ArtifactStore& store,
                                       const Clock& clock, const std::function<bool()>& goesOn);

} // namespace sg::datasets
