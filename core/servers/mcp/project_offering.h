#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/datasets/dataset_desk.h"
#include "core/graph/graph.h"
#include "core/history/history.h"
#include "core/runs/runs.h"
#include "core/servers/mcp/offering.h"
#include "core/sessions/manager/session_manager.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sg::servers {

// The parts of an open project that are used for one of its graphs. `hold` keeps them alive.
struct OpenGraph {
    graph::Graph graph;
    runs::Runs& runs;
    history::History& history;
    artifacts::ArtifactStore& artifacts;
    sessions::SessionManager& sessions;
    datasets::DatasetDesk& datasets;
    std::function<Result<sessions::SessionSpec>()> sessionSpec;
    // The whole command by which a person answers a question of a thread from any folder of this machine.
    // `id` names the question where the thread asks several; else it is empty.
    std::function<std::string(const ThreadId& thread, const std::string& id)> answerCommand;
    std::shared_ptr<void> hold;
};

struct ProjectWorld {
    std::string name; // of the project, for people
    std::filesystem::path key; // file of the project's key, by which states are sealed
    std::vector<std::filesystem::path> graphs; // the first one's settings count for sandboxes
    std::function<Result<std::shared_ptr<OpenGraph>>(const std::filesystem::path& graph)> open;
    const Clock& clock;
};

// Offers a project: code in its sandbox, its datasets, artifacts as resources, and each graph as a tool.
std::unique_ptr<Offering> makeProjectOffering(ProjectWorld world);

} // namespace sg::servers
