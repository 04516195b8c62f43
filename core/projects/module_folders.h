#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/sessions/module_folder.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sg::projects {

// The folders whose modules a graph's nodes import: "nodes", where it exists, then those that its sandbox
// names (else "lib", where it exists). Errc::NotFound, InvalidArgument, PermissionDenied: one that it names
// is not there, is no folder, or leads out of the project. Any thread.
Result<std::vector<sessions::ModuleFolder>> moduleFolders(const graph::Graph& graph,
                                                          const std::filesystem::path& project);

// Every Python file below them, by its path in the project; folder by
// folder, sorted in each; no links, nothing hidden, at most 10,000. Files
// that cannot be read, or are larger than 4 MiB, are an error.
Result<std::vector<std::pair<std::string, std::string>>>
moduleFiles(const std::vector<sessions::ModuleFolder>& folders);

} // namespace sg::projects
