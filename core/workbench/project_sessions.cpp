#include "core/workbench/project_sessions.h"

#include "core/graph/own_secrets.h"
#include "core/graph/requirement.h"
#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/docker/docker_backend.h"
#include "core/sandbox/runtime_folder.h"
#include "core/sessions/memory_ledger.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace sg::workbench {
namespace {

// A whole number that is not negative; anything else is the fallback.
int countInEnvironment(const char* name, int fallback)
{
    const auto text = processEnvironment(name);
    int number = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc()
        || number < 0)
        return fallback;
    return number;
}

} // namespace

sessions::SessionManager::Backends makeBackends(const std::string& instance, const MergedSettings& settings)
{
    sessions::SessionManager::Backends backends;
    sandbox::DockerOptions docker;
    docker.instance = instance;
    if (const std::string* runtime = settings.text("runtime"))
        docker.runtime = *runtime;
    backends["docker"] = sandbox::makeDockerBackend(std::move(docker));
    sandbox::BubblewrapOptions bubblewrap;
    bubblewrap.instance = instance;
    backends["bubblewrap"] = sandbox::makeBubblewrapBackend(std::move(bubblewrap));
    return backends;
}

sessions::SessionManagerOptions sessionOptions(const ProjectPaths& project, const RuntimePaths& runtime,
                                               bool readOnly)
{
    sessions::SessionManagerOptions made;
    made.sessionsFolder = project.sessions;
    made.runnerFolder = runtime.runner;
    std::error_code failed;
    if (!runtime.python.empty() && std::filesystem::exists(runtime.python / "bin" / "python3", failed))
        made.python = runtime.python;
    made.project = project.id;
    made.snapshots = project.snapshots;
    if (!readOnly)
        made.records = project.data / "sessions.sqlite";
    made.budget.sessions = countInEnvironment("SANDGLASS_SESSIONS", made.budget.sessions);
    const int machine = static_cast<int>(sessions::memoryOfMachine() >> 20);
    made.budget.memoryBytes = std::int64_t{ countInEnvironment("SANDGLASS_SESSIONS_MEMORY_MB", machine) }
        << 20;
    if (const auto shared = sandbox::runtimeFolder())
        made.budget.shared = *shared / "memory";
    return made;
}

namespace {

// The node whose own session that is; empty: several share it.
NodeId nodeOfPart(const std::string& part)
{
    constexpr std::string_view kNode = "node "; // "node NAME", "run ID node NAME"
    const std::size_t at = part.find(kNode);
    return NodeId(at == std::string::npos ? std::string() : part.substr(at + kNode.size()));
}

// Beside the graph's.
std::vector<std::string> requirementsOfPart(const graph::Graph& graph, const NodeId& own)
{
    const graph::Node* node = graph.findNode(own);
    const Value* wanted = node == nullptr ? nullptr : node->settings.find("requirements");
    const auto lines = graph::parseRequirementList(wanted == nullptr ? Value() : *wanted);
    return lines ? *lines : std::vector<std::string>();
}

} // namespace

sessions::SessionSpec specOfPart(sessions::SessionSpec spec, const graph::Graph& graph,
                                 const std::string& part)
{
    spec.part = part;
    const NodeId node = nodeOfPart(part);
    if (!node.empty())
        spec.secrets = graph::ownSecrets(graph)[node.value];
    if (const auto own = requirementsOfPart(graph, node); !own.empty()) {
        spec.requirements.insert(spec.requirements.end(), own.begin(), own.end());
        spec.requirements = graph::sortedRequirements(std::move(spec.requirements));
    }
    return spec;
}

} // namespace sg::workbench
