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

namespace sg::workbench {

struct WorkbenchOptions {
    projects::ProjectPaths project;
    config::RuntimePaths runtime = config::locateRuntime();
    std::string backend; // "" as the graph says; "docker", "bubblewrap"
    // Of the command line, for all sessions; see setting_layers.h.
    config::SettingValues settings;
    std::filesystem::path envFile; // empty: the project's sandbox.env where there is one
    std::string tenant; // of the long-term store; "" as environment and graph say
    bool keepSessions = false; // sessions outlive this process where the backend can do that
    bool startAhead = false; // sessions, as the graph's "pool" says: for programs that live long
    bool readOnly = false; // of the database: nothing can be run
};

// Opens a project and hands out its parts; no behaviour of its own. The one door for app/ and ui/. Any
// thread.
class Workbench {
public:
    static Result<std::unique_ptr<Workbench>> open(WorkbenchOptions options);
    ~Workbench();
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    [[nodiscard]] const projects::ProjectPaths& project() const;
    [[nodiscard]] bool isReadOnly() const;
    [[nodiscard]] const config::RuntimePaths& runtime() const;
    // The file as it is now, with its problems.
    [[nodiscard]] Result<graph::GraphFile> loadGraph(runs::Check check = runs::Check::All) const;
    // The same for a text that was read from it.
    [[nodiscard]] graph::GraphFile checkGraph(std::string_view text,
                                              runs::Check check = runs::Check::All) const;

    runs::Runs& runs();
    history::History& history();
    sessions::SessionManager& sessions();
    artifacts::ArtifactStore& artifacts();
    datasets::DatasetDesk& datasets();
    // Told of each row of the audit that this process adds, once it is written; null where it adds none. What
    // listens must not add one.
    Publisher<audit::AuditEntry>* audited();
    runs::ThreadStates& states();
    upkeep::ProjectParts parts(); // for upkeep.h's verbs
    layers::RequirementLayers& layers(); // of this user, not of the project alone
    rewind::Snapshots* snapshots(); // what is kept of the sandboxes; null where the database cannot hold any
    // The settings that a run's session would get: graph file, overridden by the options. `part`: whose it is
    // beside the thread's own, see SessionSpec.
    [[nodiscard]] Result<sessions::SessionSpec> sessionSpec(const sessions::SessionPart& part = {}) const;
    // The same with the place that each came from.
    [[nodiscard]] Result<config::SessionSettings> sessionSettings() const;

private:
    struct Impl;
    explicit Workbench(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::workbench
