#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/artifacts/blob_store.h"
#include "core/checkpoint/dispatch_log.h"
#include "core/engine/node_body.h"
#include "core/engine/receipts.h"
#include "core/graph/graph.h"
#include "core/workers/role_line.h"
#include "core/workers/task_message.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::sessions {
struct ModuleFolder;
}

namespace sg::workers {

// Gives the tasks of one project's nodes to the workers of their roles. It lives as long as the project is
// open; any thread.
class RoleDesk {
public:
    // `client` tells this process apart from others that wait for results.
    RoleDesk(QueueAddress address, std::string ns, std::string client);

    RoleLine& line(const std::string& role);
    [[nodiscard]] const QueueAddress& address() const { return m_address; }

private:
    const QueueAddress m_address;
    const std::string m_ns;
    const std::string m_client;
    std::mutex m_mutex;
    std::map<std::string, std::unique_ptr<RoleLine>> m_lines; // guarded by m_mutex
};

// All role nodes of one graph share this.
struct RoleWorld {
    RoleDesk* desk = nullptr;
    checkpoint::DispatchLog* log = nullptr; // null: a result may be computed twice after a crash
    engine::Receipts* receipts = nullptr; // of the run; null: nothing runs
    artifacts::ArtifactStore* artifacts = nullptr;
    std::shared_ptr<const artifacts::BlobStore> blobs;
    std::filesystem::path projectFolder;
    std::vector<sessions::ModuleFolder> modules;
    std::vector<std::string> requirements;
    Value roles; // of the graph
    double seconds = 0; // the graph's time limit of a cell; 0: none
    // The program's one output; for partitions. Empty: there are none.
    std::function<Result<Value>(const std::string& program, const Value& input)> evaluate;
    // Is called after a task left an artifact. May be empty.
    std::function<void(const engine::TaskInfo&, const artifacts::Artifact&)> artifactStored;
};

// Makes a node that is done by its role's workers.
std::unique_ptr<engine::NodeBody> makeRoleBody(std::shared_ptr<const RoleWorld> world,
                                               const graph::Node& node);

} // namespace sg::workers
