#pragma once

#include "core/base/result.h"
#include "core/workbench/project.h"

#include <string>
#include <string_view>

namespace sg::workbench {

// Puts an edited graph into its file, atomically. `expected`: what stood there when the editing began; where
// the file holds something else by now nothing is written (Errc::Conflict). Code files that python nodes name
// and that do not exist are made, with a function that changes nothing. Any thread.
Result<void> saveGraphText(const ProjectPaths& project, std::string_view text, std::string_view expected);

// Edits that are not saved yet, in the project's own folder, to be offered after a crash.
Result<void> writeJournal(const ProjectPaths& project,
                          std::string_view text); // empty: there are none any more
std::string readJournal(const ProjectPaths& project); // empty: none

} // namespace sg::workbench
