#pragma once

#include "core/base/result.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string>

// Files in a project's folder of data, which sessions read.
namespace sg::projects {

// The name of a file there, beneath the folder: "penguins.csv", "2026/heights.csv". Errc::NotFound: it lies
// elsewhere.
Result<std::string> datasetName(const ProjectPaths& project, const std::filesystem::path& file);

// Copies a file into the folder and returns its name there; what lies there already stays. Errc::Exists:
// another content has that name.
Result<std::string> addDatasetFile(const ProjectPaths& project, const std::filesystem::path& file);

} // namespace sg::projects
