#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/config/runtime.h"
#include "core/config/session_settings.h"
#include "core/datasets/dataset_desk.h"
#include "core/graph/graph_file.h"
#include "core/history/history.h"
#include "core/projects/project.h"
#include "core/rewind/snapshots.h"
#include "core/runs/graph_check.h"
#include "core/runs/runs.h"
#include "core/runs/thread_states.h"
#include "core/sessions/manager/session_manager.h"
#include "core/upkeep/upkeep.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::layers {
class RequirementLayers;
}
namespace sg::mcp {
class ToolServers;
}

namespace sg::workbench {

struct WorkbenchOptions {
    projects::ProjectPaths project;
    config::RuntimePaths runtime = config::locateRuntime();
    std::string backend; // "" as the graph says; "docker", "bubblewrap"
    // Settings of the command line for all sessions; see setting_layers.h.
    config::SettingValues settings;
    std::filesystem::path envFile; // empty: the project's sandbox.env, if it exists
    std::string tenant; // the tenant of the long-term store; "" as environment and graph say
    bool keepSessions = false; // sessions outlive this process if the backend allows it
    bool startAhead = false; // starts sessions ahead, as the graph's "pool" says; for long-lived programs
    bool readOnly = false; // opens the database read-only: nothing can be run
};

// Opens a project and hands out its parts, for app/ and ui/; no behaviour of its own. Any thread.
class Workbench {
public:
    static Result<std::unique_ptr<Workbench>> open(WorkbenchOptions options);
    ~Workbench();
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    [[nodiscard]] const projects::ProjectPaths& project() const;
    [[nodiscard]] bool isReadOnly() const;
    [[nodiscard]] const config::RuntimePaths& runtime() const;
    // Returns the graph file as it is now, with its problems.
    [[nodiscard]] Result<graph::GraphFile> loadGraph(runs::Check check = runs::Check::All) const;
    // Does the same for a text that was read from it.
    [[nodiscard]] graph::GraphFile checkGraph(std::string_view text,
                                              runs::Check check = runs::Check::All) const;

    runs::Runs& runs();
    history::History& history();
    sessions::SessionManager& sessions();
    artifacts::ArtifactStore& artifacts();
    datasets::DatasetDesk& datasets();
    // Publishes this process's audit rows once written; null if it writes none. Listeners must not add rows.
    Publisher<audit::AuditEntry>* audited();
    runs::ThreadStates& states();
    upkeep::ProjectParts parts(); // for the functions of core/upkeep
    layers::RequirementLayers& layers(); // this user's, shared by projects
    rewind::Snapshots* snapshots(); // null if the database cannot hold snapshots
    // Returns the settings that a run's session would get: those of the graph file, overridden by the
    // options. `part` selects one of the thread's sessions, see SessionSpec.
    [[nodiscard]] Result<sessions::SessionSpec> sessionSpec(const sessions::SessionPart& part = {}) const;
    // Returns the same for a graph that may not be saved yet.
    [[nodiscard]] Result<sessions::SessionSpec> sessionSpecOf(const graph::Graph& graph,
                                                              const sessions::SessionPart& part = {}) const;
    // Returns the MCP servers that the graph names now; null: none. They end with what is returned.
    [[nodiscard]] Result<std::shared_ptr<mcp::ToolServers>> toolServers() const;
    // Returns the same with the place of each setting.
    [[nodiscard]] Result<config::SessionSettings> sessionSettings() const;

private:
    struct Impl;
    explicit Workbench(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::workbench
