#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace sg::workbench {

// Makes a project of a checkpoint database from elsewhere: its copy, as it is at this moment, beneath a graph
// without nodes. The folder may be there; nothing in it is written over (Errc::Exists). The database itself
// is only read.
Result<void> copyToProject(const std::filesystem::path& database, const std::filesystem::path& folder);

} // namespace sg::workbench
