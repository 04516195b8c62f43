#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/engine/node_body.h"
#include "core/expressions/jq_evaluator.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/session_sharing.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sg::datasets {
class DatasetDesk;
}
namespace sg::models {
struct ModelDesk;
}

namespace sg::nodes {

// What was said already: tasks that run side by side say it once. Any thread.
class ToldOnce {
public:
    bool isFirst(const std::string& what) // and no other time
    {
        const std::lock_guard lock(m_mutex);
        return m_told.insert(what).second;
    }

private:
    std::mutex m_mutex;
    std::set<std::string> m_told;
};

// What the nodes of one graph take from the world. All that is pointed to outlives the catalog.
struct NodeWorld {
    std::filesystem::path projectFolder; // code files lie beneath it
    sessions::SessionManager* sessions = nullptr; // null: a node that needs a session fails and says so
    sessions::SessionSpec session; // of each thread
    sessions::SessionSharing sharing{}; // which tasks share one
    sessions::CellLimits limits; // of a node without "timeout_s"
    datasets::DatasetDesk* datasets = nullptr; // null: as without sessions
    // Modules that bubblewrap sessions would have if their runtime were built; empty where it is.
    std::vector<std::string> missingPackages{};
    std::shared_ptr<ToldOnce> startsTold = std::make_shared<ToldOnce>(); // ids of sessions
    std::string jqHelper; // program sandglass-jq
    expressions::JqLimits jqLimits;
    std::shared_ptr<const models::ModelDesk> models{}; // null: a node that asks a model fails and says so
    Value llmDefaults{}; // "llm" of the graph
    sessions::SessionWorld* sessionWorld = nullptr; // of the run; null: sessions are used as they are
    // On the task's thread: a request of a node's code to the long-term store. Empty: the graph has none.
    std::function<Result<Value>(const Value& request)> askStore;
    // On the task's thread, where its session has Python packages of its own. May be empty.
    std::function<void(const engine::TaskInfo&, const sessions::SessionInfo&)> packagesUsed;
    // On the task's thread: modules of the project that the run has not imported before. May be empty.
    std::function<void(const std::vector<sessions::ImportedModule>&)> modulesImported;
    // On the task's thread, after a node left an artifact. May be empty.
    std::function<void(const engine::TaskInfo&, const artifacts::Artifact&)> artifactStored;
};

// Makes every kind of core/graph/node_kinds.h. Errc::Unsupported for another kind, InvalidArgument for
// missing or wrong settings. All jq programs of the catalog are compiled together on first use.
class NodeCatalog : public engine::NodeCatalog {
public:
    // Before the first task of a run. Errc::InvalidArgument where a jq program does not compile.
    virtual Result<void> checkPrograms() = 0;
};
std::unique_ptr<NodeCatalog> makeNodeCatalog(NodeWorld world);

} // namespace sg::nodes
