#pragma once

#include "core/base/result.h"
#include "core/projects/project.h"

#include <string>

namespace sg::workbench {

// Makes the project use another checkpoint database: a file, or an address of PostgreSQL; empty: its own.
// Nothing is opened. Errc::InvalidArgument: this is no address; NotFound: this user has no data folder.
Result<void> chooseDatabase(projects::ProjectPaths& project, const std::string& database);

// Makes a project of a checkpoint database alone, without a graph, to be opened read-only. Errors: the same.
Result<projects::ProjectPaths> databaseAlone(const std::string& database);

} // namespace sg::workbench
