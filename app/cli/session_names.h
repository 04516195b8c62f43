#pragma once

#include "app/cli/line_editor.h"
#include "app/cli/output.h"
#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_terminal.h"
#include "core/sessions/session.h"

#include <string>

// What a prompt asks a session about its names; nothing of it disturbs a cell.
namespace sg::cli {

// For the cursor in `line`, which stands behind `before` (lines of the same cell, each ended). None where the
// session cannot answer now.
Suggestions completionsOf(sessions::Session& session, const std::string& before, const std::string& line,
                          std::size_t cursor);
// A table: name, type, shape and size, preview.
void showVariables(sessions::Session& session, const Output& out);
// Type, signature and docstring.
void showDescription(sessions::Session& session, const std::string& name, const Output& out);

} // namespace sg::cli
