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

// Makes "docker", "bubblewrap" and "e2b". `instance` marks the sandboxes that belong to this project.
sessions::SessionManager::Backends makeBackends(const std::string& instance, const MergedSettings& settings);

// Returns folders, records and the limits of SANDGLASS_SESSIONS and SANDGLASS_SESSIONS_MEMORY_MB.
sessions::SessionManagerOptions sessionOptions(const projects::ProjectPaths& project,
                                               const RuntimePaths& runtime, bool readOnly);

// Adapts the spec of a thread's session to a part of it, with the requirements of that part's node.
sessions::SessionSpec specOfPart(sessions::SessionSpec spec, const graph::Graph& graph,
                                 const sessions::SessionPart& part);

// Returns the folders in which a project and this user keep data for datasets.
datasets::DatasetFolders datasetFolders(const projects::ProjectPaths& project);

// Returns a function that audits each secret given to a provider, for callers without a workbench.
std::function<void(const datasets::DatasetSource&)> auditOfSecrets(const projects::ProjectPaths& project);

// A graph may name wheels that this machine downloads. This refuses those from this machine or its own
// networks; Errc::PermissionDenied names the first. It is no complete protection: a name may later lead
// elsewhere, and an allowed host may redirect pip.
Result<void> mayFetch(const layers::Installation& installation);

// Refuses what mayFetch() refuses, and audits each installation before it begins and after it ends. A row
// that cannot be written stops the installation. `audit` may be null.
layers::InstallWatch installWatch(audit::AuditWriter* audit);

} // namespace sg::config
