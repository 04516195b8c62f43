#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/result.h"
#include "core/config/setting_layers.h"
#include "core/graph/graph.h"
#include "core/projects/project.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/session_sharing.h"

#include <filesystem>

namespace sg::config {

struct SessionChoice {
    std::string backend; // of the command line; "" as the other layers say
    bool keep = false;
    SettingValues settings; // env file, environment and command line; the graph's are added
};

struct SessionSettings {
    sessions::SessionSpec session;
    sessions::CellLimits cell;
    sessions::SessionSharing sharing;
    sessions::PoolOptions pool;
    MergedSettings merged; // with the place that each came from
};

// Graph file < env file < environment < command line; what none of them says is the default.
// Errc::InvalidArgument or NotFound, before anything starts, for what contradicts itself; the message names
// the places.
Result<SessionSettings> sessionSettings(const graph::Graph& graph, const projects::ProjectPaths& project,
                                        const SessionChoice& choice);

// A node, branch or error handler of the graph, or of one nested in it, runs code in a session.
bool usesSandbox(const graph::Graph& graph);

// Env file (`envFile`, else the project's sandbox.env where there is one), environment and `commandLine`.
Result<SettingValues> outerSettings(const projects::ProjectPaths& project,
                                    const std::filesystem::path& envFile,
                                    const EnvironmentLookup& environment, const SettingValues& commandLine);

// The project with its folders as env file and environment place them, for those who open no workbench.
Result<projects::ProjectPaths> placedByEnvironment(projects::ProjectPaths project);

// Whether this user lets graphs have that secret. A project's own files do not decide it: they come with the
// graph.
bool mayHaveSecret(const MergedSettings& settings, const std::string& name);
// Whether the proxy may put that secret into requests, for the same reason.
bool mayGiveSecret(const MergedSettings& settings, const std::string& name);
// Whether a server of chat models may be shown that secret; for the same reason, and for that place alone.
struct ModelPlace {
    std::string scheme; // "https" or "http"
    std::string place; // "api.test:443"
    bool isThisMachine = false;
};
bool mayShowKey(const MergedSettings& settings, const std::string& name, const ModelPlace& place);

// The project's retention of artifacts: ARTIFACTS_DAYS and ARTIFACTS_MB of env file and environment.
Result<artifacts::CollectOptions> collectOptions(const projects::ProjectPaths& project);
// SNAPSHOTS_LIVE, SNAPSHOTS_MEMORY_MB, SNAPSHOT_FILES_MB, SNAPSHOTS_MB.
sessions::SnapshotLimits snapshotLimits(const MergedSettings& settings);
// The same, of env file and environment.
Result<sessions::SnapshotLimits> snapshotLimits(const projects::ProjectPaths& project);
// MAX_ARTIFACT_SIZE_MB.
artifacts::ArtifactStoreOptions artifactOptions(const MergedSettings& settings);

// Where SESSIONS_ROOT, BLOBSTORE_DIR and ARTIFACTS_DB put things; a relative path is the project's.
Result<projects::ProjectPaths> placedProject(projects::ProjectPaths project, const SettingValues& settings);

} // namespace sg::config
