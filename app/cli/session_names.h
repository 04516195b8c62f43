#pragma once

#include "app/cli/line_editor.h"
#include "app/cli/output.h"
#include "core/sessions/runner/introspection.h"
#include "core/sessions/runner/session_terminal.h"
#include "core/sessions/session.h"

#include <string>

// A prompt's questions about a session's names; they do not disturb a cell.
namespace sg::cli {

// Suggestions for the cursor in `line`; `before` holds the complete earlier lines of the same cell. None
// where the session cannot answer now.
Suggestions completionsOf(sessions::Session& session, const std::string& before, const std::string& line,
                          std::size_t cursor);
// Prints a table: name, type, shape and size, preview.
void showVariables(sessions::Session& session, const Output& out);
// Prints type, signature and docstring.
void showDescription(sessions::Session& session, const std::string& name, const Output& out);

} // namespace sg::cli
