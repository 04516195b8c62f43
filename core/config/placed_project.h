#pragma once

#include "core/config/setting_layers.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string_view>

namespace sg::config {

// Returns the folder or file that a setting names, or `usual`; a relative path starts at the project.
// Settings in the project's own files, which may be somebody else's, must name a place inside the project,
// after following links. Errc::PermissionDenied says who has to set it instead.
Result<std::filesystem::path> chosenPlace(const MergedSettings& settings, std::string_view key,
                                          const std::filesystem::path& usual,
                                          const projects::ProjectPaths& project);

// Applies SESSIONS_ROOT, BLOBSTORE_DIR and ARTIFACTS_DB in that way.
Result<projects::ProjectPaths> placedProject(projects::ProjectPaths project, const SettingValues& settings);

// Tells whether one is the other or lies in it, after following links.
bool overlap(const std::filesystem::path& one, const std::filesystem::path& other);

} // namespace sg::config
