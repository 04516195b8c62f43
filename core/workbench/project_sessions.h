#pragma once

#include "core/graph/graph.h"
#include "core/sessions/session_manager.h"
#include "core/workbench/project.h"
#include "core/workbench/runtime.h"
#include "core/workbench/setting_layers.h"

#include <string>
#include <vector>

namespace sg::workbench {

// "docker" and "bubblewrap"; `instance` marks whose sandboxes are whose.
sessions::SessionManager::Backends makeBackends(const std::string& instance, const MergedSettings& settings);

// Folders, records and the budget of SANDGLASS_SESSIONS and SANDGLASS_SESSIONS_MEMORY_MB; what works on them
// is added by whoever has it.
sessions::SessionManagerOptions sessionOptions(const ProjectPaths& project, const RuntimePaths& runtime,
                                               bool readOnly);

// The spec of a thread's session as that of its part: with what the node requires whose own session it is.
sessions::SessionSpec specOfPart(sessions::SessionSpec spec, const graph::Graph& graph,
                                 const std::string& part);

} // namespace sg::workbench
