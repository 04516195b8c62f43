#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/sessions/session_manager.h"
#include "core/workbench/project.h"

#include <string>

namespace sg::workbench {

struct SessionChoice {
    std::string backend; // of the command line; "" as the graph says
    bool keep = false;
};

struct SessionSettings {
    sessions::SessionSpec session;
    sessions::CellLimits cell;
};

// Graph file, overridden by the choice; what neither says is the default. Errc::InvalidArgument for what
// contradicts itself or is not offered.
Result<SessionSettings> sessionSettings(const graph::Graph& graph, const ProjectPaths& project,
                                        const SessionChoice& choice);

// A node, branch or error handler of the graph, or of one nested in it, runs code in a session.
bool usesSandbox(const graph::Graph& graph);

} // namespace sg::workbench
