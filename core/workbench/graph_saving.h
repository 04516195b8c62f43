#pragma once

#include "core/base/result.h"
#include "core/workbench/project.h"

#include <cstddef>
#include <string_view>

namespace sg::workbench {

inline constexpr std::size_t kMostGraphText = 32U << 20; // bytes of a graph's file

// Puts an edited graph into its file, atomically. `expected`: what stood there when the editing began; where
// the file holds something else by now nothing is written (Errc::Conflict). Code files that python nodes name
// and that do not exist are made, with a function that changes nothing. Any thread.
Result<void> saveGraphText(const ProjectPaths& project, std::string_view text, std::string_view expected);

} // namespace sg::workbench
