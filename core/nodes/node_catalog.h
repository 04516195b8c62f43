#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/checkpoint/run_log.h"
#include "core/engine/effect_notes.h"
#include "core/engine/node_body.h"
#include "core/expressions/jq_evaluator.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/session_sharing.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sg::audit {
struct AuditEntry;
}
namespace sg::datasets {
class DatasetDesk;
}
namespace sg::models {
struct BaseUrl;
struct ModelDesk;
} // namespace sg::models
namespace sg::mcp {
class ToolServers;
}

namespace sg::nodes {

// Remembers what was reported, so that parallel tasks report it once. Any thread.
class ToldOnce {
public:
    bool isFirst(const std::string& what) // true for the first call with `what` only
    {
        const std::lock_guard lock(m_mutex);
        return m_told.insert(what).second;
    }

private:
    std::mutex m_mutex;
    std::set<std::string> m_told;
};

// A call that an agent was not allowed to make.
struct RefusedCall {
    std::string tool;
    std::string subject; // a tool, dataset or host
    std::string why;
};
// Returns the row of the audit that tells of it.
audit::AuditEntry auditEntryOf(const engine::TaskInfo& task, const RefusedCall& call);

// A call of an agent's tool that has ended.
struct ToolUse {
    std::string tool;
    std::string call; // its id
    std::string error{}; // empty: it went well
    std::chrono::duration<double> took{ 0 };
};

// The nodes of one graph use these. All pointers must outlive the catalog.
struct NodeWorld {
    std::filesystem::path projectFolder; // code files are below it
    sessions::SessionManager* sessions = nullptr; // null: a node that needs a session fails and says so
    artifacts::ArtifactStore* artifacts = nullptr; // takes what nodes show; null: its text alone is told
    sessions::SessionSpec session; // of each thread
    sessions::SessionSharing sharing{}; // which tasks share a session
    sessions::CellLimits limits; // for a node without "timeout_s"
    datasets::DatasetDesk* datasets = nullptr; // null: a node that needs it fails and says so
    // Modules that bubblewrap sessions lack because their runtime is not built; empty if it is.
    std::vector<std::string> missingPackages{};
    // Makes the node of a role's workers. Empty: no queue is configured, and nodes with a role run here.
    std::function<std::unique_ptr<engine::NodeBody>(const graph::Node&)> ofRole{};
    // Narrows the session of a role's node that runs here to what the graph asks for its role. May be empty.
    std::function<Result<void>(const std::string& role, sessions::SessionSpec&, sessions::CellLimits&)>
        asOfRole{};
    bool runsBeside = true; // Python nodes of one superstep, unless they say "serial"
    std::shared_ptr<std::set<std::string>> pythonNodes =
        std::make_shared<std::set<std::string>>(); // filled as nodes are made, before any runs
    std::shared_ptr<ToldOnce> startsTold = std::make_shared<ToldOnce>(); // ids of sessions
    std::string jqHelper; // program sandglass-jq
    expressions::JqLimits jqLimits;
    std::shared_ptr<const models::ModelDesk> models{}; // null: a node that asks a model fails and says so
    Value llmDefaults{}; // "llm" of the graph
    std::shared_ptr<mcp::ToolServers> toolServers{}; // "mcp" of the graph; null: it names none
    // Tells whether this user lets http nodes ask that place. Empty: they may ask none.
    std::function<Result<void>(const models::BaseUrl& place)> mayReach{};
    engine::EffectNotes* effects = nullptr; // of the run; null: nobody asks before an effect is repeated
    sessions::SessionWorld* sessionWorld = nullptr; // of the run; null: sessions are used as they are
    // Passes a request of a node's code to the long-term store, on the task's thread. Empty: the graph has
    // none.
    std::function<Result<Value>(const Value& request)> askStore;
    // Called on the task's thread if its session has Python packages of its own. May be empty.
    std::function<void(const checkpoint::RunPackages&)> packagesUsed;
    // Called on the task's thread with modules that the run has not imported before. May be empty.
    std::function<void(const checkpoint::RunPackages&)> modulesImported;
    // Called on the task's thread, with the agent as its node. May be empty.
    std::function<void(const engine::TaskInfo&, const RefusedCall&)> refused{};
    // Called on the task's thread, with the task of the agent's loop and the agent. May be empty.
    std::function<void(const engine::TaskInfo&, const NodeId& agent, const ToolUse&)> toolUsed{};
    // Called on the task's thread after a node left an artifact. May be empty.
    std::function<void(const engine::TaskInfo&, const artifacts::Artifact&)> artifactStored;
};

// Makes nodes of every kind in core/graph/node_kinds.h. Errc::Unsupported: another kind; InvalidArgument:
// missing or wrong settings. All jq programs of the catalog are compiled together on first use.
class NodeCatalog : public engine::NodeCatalog {
public:
    // Called before the first task of a run. Errc::InvalidArgument: a jq program does not compile.
    virtual Result<void> checkPrograms() = 0;
};
std::unique_ptr<NodeCatalog> makeNodeCatalog(NodeWorld world);

} // namespace sg::nodes
