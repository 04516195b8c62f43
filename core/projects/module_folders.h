#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/sessions/module_folder.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sg::projects {

// Returns the folders from which a graph's nodes import: "nodes", if it exists, then those that its sandbox
// names (else "lib", if it exists). Errc::NotFound, InvalidArgument, PermissionDenied: a named one does not
// exist, is no folder, or leads out of the project. Any thread.
Result<std::vector<sessions::ModuleFolder>> moduleFolders(const graph::Graph& graph,
                                                          const std::filesystem::path& project);

// Returns every Python file below them, by its path in the project: folder by folder, sorted in each, without
// links and hidden files, at most 10,000. Files that cannot be read or exceed 4 MiB are an error.
Result<std::vector<std::pair<std::string, std::string>>>
moduleFiles(const std::vector<sessions::ModuleFolder>& folders);

} // namespace sg::projects
