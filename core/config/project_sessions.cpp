#include "core/config/project_sessions.h"

#include "core/audit/audit_writer.h"
#include "core/base/child_process.h"
#include "core/base/user_folders.h"
#include "core/config/connections.h"
#include "core/config/runtime.h"
#include "core/config/session_settings.h"
#include "core/config/setting_layers.h"
#include "core/graph/requirement.h"
#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/docker/docker_backend.h"
#include "core/sandbox/e2b/e2b_backend.h"
#include "core/sandbox/egress/name_lookup.h"
#include "core/sandbox/runtime_folder.h"
#include "core/sessions/live/session_egress.h"
#include "core/sessions/memory_ledger.h"

#include <sys/eventfd.h>

#include <charconv>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace sg::config {
namespace {

// Reads a whole number that is not negative; anything else gives the fallback.
int countInEnvironment(const char* name, int fallback)
{
    const auto text = processEnvironment(name);
    int number = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc()
        || number < 0)
        return fallback;
    return number;
}

namespace egress = sandbox::egress;

constexpr std::chrono::seconds kLookUpTime{ 10 };
constexpr std::string_view kScheme = "https://";

Value listOf(const std::vector<std::string>& texts)
{
    ValueList list;
    for (const std::string& text : texts)
        list.emplace_back(text);
    return Value(std::move(list));
}

Result<void> mayFetchFrom(const std::string& address)
{
    const auto refused = [&](const std::string& why) {
        return Error{
            Errc::PermissionDenied,
            address + ' ' + why
                + ". Put the wheel into a folder and name that by PIP_FIND_LINKS, or name its index "
                  "by PIP_INDEX_URL"
        };
    };
    if (!address.starts_with(kScheme))
        return refused("is no https:// address");
    const std::string rest = address.substr(kScheme.size());
    const auto place = egress::parseHostPort(rest.substr(0, rest.find_first_of("/?#")), 443);
    if (!place)
        return refused("names no host: " + place.error().message);
    const Fd never(::eventfd(0, EFD_CLOEXEC));
    const auto found = egress::lookUp(*place, never.get(), std::chrono::steady_clock::now() + kLookUpTime,
                                      std::make_shared<std::atomic<int>>(0));
    if (!found) // pip will not find it either, unless through this user's proxy
        return {};
    for (const egress::FoundAddress& each : *found)
        if (!egress::isPublicAddress(each.get()))
            return refused("leads to " + egress::addressText(each.get())
                           + ", which is this machine or a private network");
    return {};
}

audit::AuditEntry installEntry(const layers::Installation& installation, audit::Outcome outcome,
                               const std::string& why = {})
{
    audit::AuditEntry entry;
    entry.kind = audit::Kind::Layer;
    entry.subject = installation.id;
    entry.outcome = outcome;
    entry.details = Value::map({ { "requirements", listOf(installation.requirements) },
                                 { "addresses", listOf(installation.addresses) },
                                 { "hosts", listOf(installation.hosts) },
                                 { "network", installation.usesNetwork } });
    if (!why.empty())
        entry.details.editMap().set("error", why);
    return entry;
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
    sandbox::E2bOptions elsewhere;
    elsewhere.instance = instance;
    elsewhere.connections = [] { return readConnections(connectionsFile()); };
    elsewhere.key = connectionKey;
    elsewhere.runnerFolder = locateRuntime().runner;
    elsewhere.records = remoteRecordsFolder();
    backends["e2b"] = sandbox::makeE2bBackend(std::move(elsewhere));
    return backends;
}

sessions::SessionManagerOptions sessionOptions(const projects::ProjectPaths& project,
                                               const RuntimePaths& runtime, bool readOnly)
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

// Returns the requirements that a node adds to the graph's.
std::vector<std::string> requirementsOfPart(const graph::Graph& graph, const NodeId& own)
{
    const graph::Node* node = graph.findNode(own);
    const Value* wanted = node == nullptr ? nullptr : node->settings.find("requirements");
    const auto lines = graph::parseRequirementList(wanted == nullptr ? Value() : *wanted);
    return lines ? *lines : std::vector<std::string>();
}

} // namespace

sessions::SessionSpec specOfPart(sessions::SessionSpec spec, const graph::Graph& graph,
                                 const sessions::SessionPart& part)
{
    sessions::SessionSharing sharing;
    sharing.ownSecrets = ownSecretsOf(graph);
    spec = sharing.specOf(std::move(spec), part);
    if (const auto own = requirementsOfPart(graph, part.node()); !own.empty()) {
        spec.requirements.insert(spec.requirements.end(), own.begin(), own.end());
        spec.requirements = graph::sortedRequirements(std::move(spec.requirements));
    }
    return spec;
}

datasets::DatasetFolders datasetFolders(const projects::ProjectPaths& project)
{
    const std::filesystem::path data = userDataFolder();
    return { project.folder,
             project.folder / "datasets.json",
             project.data / "secrets",
             project.folder / "exports" / "modified_datasets",
             data.empty() ? data : data / "sandglass" / "allowed_datasets",
             processEnvironment };
}

std::function<void(const datasets::DatasetSource&)> auditOfSecrets(const projects::ProjectPaths& project)
{
    return [project](const datasets::DatasetSource& source) {
        std::error_code failed; // if it fails, writing the row reports it
        std::filesystem::create_directories(project.audit.parent_path(), failed);
        static_cast<void>(audit::AuditWriter(project.audit).add(datasets::secretRow(source)));
    };
}

Result<void> mayFetch(const layers::Installation& installation)
{
    if (!installation.usesNetwork)
        return {};
    for (const std::string& address : installation.addresses)
        if (auto may = mayFetchFrom(address); !may)
            return may;
    return {};
}

layers::InstallWatch installWatch(audit::AuditWriter* audit)
{
    layers::InstallWatch watch;
    watch.begins = [audit](const layers::Installation& installation) -> Result<void> {
        auto may = mayFetch(installation);
        if (audit == nullptr)
            return may;
        if (may)
            return audit->add(installEntry(installation, audit::Outcome::Started));
        static_cast<void>(
            audit->add(installEntry(installation, audit::Outcome::Denied, may.error().message)));
        return may;
    };
    watch.asks = [audit](const layers::Installation& installation, const egress::EgressDecision& decision) {
        if (audit == nullptr)
            return true;
        audit::AuditEntry entry = sessions::egressEntry(decision);
        entry.details.editMap().set("layer", installation.id);
        return static_cast<bool>(audit->add(std::move(entry)));
    };
    watch.ended = [audit](const layers::Installation& installation, const Result<void>& how) {
        if (audit != nullptr)
            static_cast<void>(
                audit->add(installEntry(installation, how ? audit::Outcome::Ok : audit::Outcome::Error,
                                        how ? "" : how.error().message)));
    };
    return watch;
}

} // namespace sg::config
