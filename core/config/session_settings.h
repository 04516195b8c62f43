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
    std::string backend; // from the command line; "": as the other layers say
    bool keep = false;
    SettingValues settings; // of env file, environment and command line; the graph's are added
};

struct SessionSettings {
    sessions::SessionSpec session;
    sessions::CellLimits cell;
    sessions::SessionSharing sharing;
    sessions::PoolOptions pool;
    MergedSettings merged; // with the place that each came from
};

// Merges graph file < env file < environment < command line over the defaults. Contradictions give
// Errc::InvalidArgument or NotFound before anything starts; the message names the places.
Result<SessionSettings> sessionSettings(const graph::Graph& graph, const projects::ProjectPaths& project,
                                        const SessionChoice& choice);

// Tells whether a node, branch or error handler of the graph, or of one nested in it, runs code in a session.
bool usesSandbox(const graph::Graph& graph);

// Returns the secrets that nodes name for sessions of their own.
std::map<std::string, sessions::SessionSharing::Secrets> ownSecretsOf(const graph::Graph& graph);

// Reads the env file (`envFile`, or an existing sandbox.env of the project), environment and `commandLine`.
Result<SettingValues> outerSettings(const projects::ProjectPaths& project,
                                    const std::filesystem::path& envFile,
                                    const EnvironmentLookup& environment, const SettingValues& commandLine);

// Returns the project with folders as env file and environment set them, for callers without a workbench.
Result<projects::ProjectPaths> placedByEnvironment(projects::ProjectPaths project);

// Tells whether this user lets graphs have that secret. Files of the project, which come with it, cannot.
bool mayHaveSecret(const MergedSettings& settings, const std::string& name);
// Tells in the same way whether the proxy may put that secret into requests.
bool mayGiveSecret(const MergedSettings& settings, const std::string& name);
// A server that is asked over HTTP, to which alone a secret may be shown.
struct ModelPlace {
    std::string scheme; // "https" or "http"
    std::string place; // "api.test:443"
    bool isThisMachine = false;
};
// Tells whether that server may be shown that secret. As above, the project's files cannot allow it; and the
// user allows it for that place alone.
bool mayShowKey(const MergedSettings& settings, const std::string& name, const ModelPlace& place);
// Tells whether http nodes may ask that place: HTTP_HOSTS of this user.
bool mayAsk(const MergedSettings& settings, const ModelPlace& place);

// Returns the project's retention of artifacts: ARTIFACTS_DAYS and ARTIFACTS_MB of env file and environment.
Result<artifacts::CollectOptions> collectOptions(const projects::ProjectPaths& project);
// Reads SNAPSHOTS_LIVE, SNAPSHOTS_MEMORY_MB, SNAPSHOT_FILES_MB and SNAPSHOTS_MB.
sessions::SnapshotLimits snapshotLimits(const MergedSettings& settings);
// Reads the same from env file and environment.
Result<sessions::SnapshotLimits> snapshotLimits(const projects::ProjectPaths& project);
// Reads MAX_ARTIFACT_SIZE_MB.
artifacts::ArtifactStoreOptions artifactOptions(const MergedSettings& settings);

} // namespace sg::config
