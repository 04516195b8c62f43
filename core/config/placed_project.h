#pragma once

#include "core/config/setting_layers.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string_view>

namespace sg::config {

// The folder or file that a setting names, or `usual`; a relative one is the project's. What a project's own
// files name, its links among them, must lie in the project: they may be somebody else's.
// Errc::PermissionDenied says whose word is needed.
Result<std::filesystem::path> chosenPlace(const MergedSettings& settings, std::string_view key,
                                          const std::filesystem::path& usual,
                                          const projects::ProjectPaths& project);

// Whether one of them is the other or lies in it, links resolved.
bool overlap(const std::filesystem::path& one, const std::filesystem::path& other);

} // namespace sg::config
