#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/config/setting_layers.h"
#include "core/engine/companion.h"
#include "core/graph/graph.h"
#include "core/nodes/node_catalog.h"
#include "core/projects/project.h"
#include "core/workers/role_desk.h"

#include <memory>
#include <optional>
#include <string>

namespace sg::workers {

// The queue of this user's settings.
struct QueueChoice {
    QueueAddress address;
    std::string ns;
};
// nullopt: there is none. Errc::InvalidArgument, or PermissionDenied where the project's own files name one.
Result<std::optional<QueueChoice>> queueChoice(const config::MergedSettings& settings);

// Lets nodes with a role run here, without a queue, with what the graph asks for their role.
void runRolesHere(const graph::Graph& graph, nodes::NodeWorld& world);

// Connects a project's runs with the workers of its graphs' roles.
class RolePools {
public:
    // Null: no queue is configured. `contents` are those of the artifacts, which hold large payloads.
    static Result<std::unique_ptr<RolePools>> open(const config::MergedSettings& settings,
                                                   const artifacts::BlobStore& contents);

    // Lets the graph's nodes with a role be done by workers. Returns what stores their receipts, which passes
    // all else to the run's own companion, `inner` (may be null), and must outlive the nodes.
    std::unique_ptr<engine::Companion> give(const graph::Graph& graph, checkpoint::CheckpointStore& store,
                                            artifacts::ArtifactStore& artifacts, engine::Companion* inner,
                                            nodes::NodeWorld& world);

private:
    RolePools(QueueChoice choice, artifacts::BlobStore blobs);

    RoleDesk m_desk;
    const std::shared_ptr<const artifacts::BlobStore> m_blobs;
};

} // namespace sg::workers
