#pragma once

#include "core/audit/audit_writer.h"
#include "core/base/clock.h"
#include "core/config/setting_layers.h"
#include "core/graph/graph.h"
#include "core/models/model_desk.h"
#include "core/projects/project.h"

#include <functional>
#include <memory>

namespace sg::config {

// Returns what the llm nodes of one run of the graph share: its budget, the prices of the project's
// "prices.json", and the keys that this user lets it show, each use of which `audit` is told first (null:
// nobody). Errc::InvalidArgument: the prices cannot be read.
Result<std::shared_ptr<models::ModelDesk>>
modelDesk(const graph::Graph& graph, const projects::ProjectPaths& project, const MergedSettings& settings,
          models::ChatClient& client, const Clock& clock, audit::AuditWriter* audit);

// Says whether http nodes may ask a place: HTTP_HOSTS of this user names it, and `audit` is told of each
// first request to one (null: nobody). Errc::PermissionDenied says how to allow it.
std::function<Result<void>(const models::BaseUrl& place)> hostsOfNodes(const MergedSettings& settings,
                                                                       audit::AuditWriter* audit);

} // namespace sg::config
