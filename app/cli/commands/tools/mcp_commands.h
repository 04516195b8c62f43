#pragma once

#include "app/cli/commands/commands.h"

namespace sg::cli {

// Adds "serve" and "config" beneath "mcp".
void addMcpServing(Verb mcp, Shell& shell);

} // namespace sg::cli
