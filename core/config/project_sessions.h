#pragma once

#include "core/config/runtime.h"
#include "core/config/setting_layers.h"
#include "core/datasets/dataset_desk.h"
#include "core/graph/graph.h"
#include "core/layers/requirement_layers.h"
#include "core/projects/project.h"
#include "core/sessions/manager/session_manager.h"

#include <functional>
#include <string>
#include <vector>

namespace sg::audit {
class AuditWriter;
}

namespace sg::config {

// "docker" and "bubblewrap"; `instance` marks whose sandboxes are whose.
sessions::SessionManager::Backends makeBackends(const std::string& instance, const MergedSettings& settings);

// Folders, records and the budget of SANDGLASS_SESSIONS and SANDGLASS_SESSIONS_MEMORY_MB; what works on them
// is added by whoever has it.
sessions::SessionManagerOptions sessionOptions(const projects::ProjectPaths& project,
                                               const RuntimePaths& runtime, bool readOnly);

// The spec of a thread's session as that of its part: with what the node requires whose own session it is.
sessions::SessionSpec specOfPart(sessions::SessionSpec spec, const graph::Graph& graph,
                                 const sessions::SessionPart& part);

// Where a project and this machine's user keep what datasets need.
datasets::DatasetFolders datasetFolders(const projects::ProjectPaths& project);

// Writes a row of the project's audit for each secret that a provider is given, for those who open no
// workbench.
std::function<void(const datasets::DatasetSource&)> auditOfSecrets(const projects::ProjectPaths& project);

// A graph says which wheels are fetched, by this machine: none that lies on it, or in its own networks.
// Errc::PermissionDenied names the one that does. What a name leads to may change afterwards, and an allowed
// host may send pip elsewhere: this is a lock on the door, not on the whole house.
Result<void> mayFetch(const layers::Installation& installation);

// Refuses what mayFetch() does, and audits each installation before it begins and after it has ended. A row
// that cannot be written stops it. `audit` may be null.
layers::InstallWatch installWatch(audit::AuditWriter* audit);

} // namespace sg::config
