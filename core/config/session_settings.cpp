#include "core/config/session_settings.h"

#include "core/base/file.h"
#include "core/base/relative_path.h"
#include "core/config/artifact_place.h"
#include "core/config/placed_project.h"
#include "core/graph/node_kinds.h"
#include "core/graph/own_secrets.h"
#include "core/graph/requirement.h"
#include "core/projects/module_folders.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/egress/egress_proxy.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::config {
namespace {

using sessions::DatasetAccess;
using sessions::SessionScope;
using sessions::SessionStorage;

constexpr double kMiB = 1 << 20;
constexpr const char* kDefaultImage = "sandglass/python";
constexpr const char* kEnvFile = "sandbox.env"; // the name that LangGraph-Sandbox uses

// Pooled sessions import it while they wait, if the runtime has it: no other import takes as long.
constexpr const char* kPooledModules = "pandas";

std::int64_t bytesOf(double mebibytes)
{
    return static_cast<std::int64_t>(mebibytes * kMiB);
}

std::chrono::milliseconds millisecondsOf(double seconds)
{
    return std::chrono::milliseconds(std::llround(seconds * 1000));
}

void applyLimits(const MergedSettings& from, SessionSettings& to)
{
    sandbox::Limits& limits = to.session.limits;
    limits.memoryBytes = from.number("memory_mb") ? bytesOf(*from.number("memory_mb")) : limits.memoryBytes;
    limits.tmpfsBytes = from.number("tmpfs_mb") ? bytesOf(*from.number("tmpfs_mb")) : limits.tmpfsBytes;
    limits.pids = static_cast<std::int64_t>(from.number("pids").value_or(static_cast<double>(limits.pids)));
    limits.cpus = from.number("cpus").value_or(limits.cpus);
    limits.openFiles =
        static_cast<std::int64_t>(from.number("open_files").value_or(static_cast<double>(limits.openFiles)));
    if (const auto seconds = from.number("cell_s"))
        to.cell.deadline = millisecondsOf(*seconds);
    if (const auto size = from.number("output_mb"))
        to.cell.outputBytes = bytesOf(*size);
    if (const auto size = from.number("state_mb"))
        to.cell.stateBytes = bytesOf(*size);
    to.session.lifetime.idle = millisecondsOf(from.number("idle_timeout_s").value_or(0));
    to.session.lifetime.age = millisecondsOf(from.number("max_age_s").value_or(0));
}

std::vector<std::string> namesIn(const std::string& list)
{
    std::vector<std::string> names;
    for (std::size_t from = 0; from < list.size();) {
        const std::size_t end = std::min(list.find(',', from), list.size());
        names.push_back(list.substr(from, end - from));
        from = end + 1;
    }
    return names;
}

// Formats "the built-in TMPFS", "BIND (SESSION_STORAGE in the environment)".
std::string said(const std::string& what, const std::string& from)
{
    return from == "built in" ? "the built-in " + what : what + " (" + from + ")";
}

// Returns the folder that the dataset access needs; the project's own if none is set.
Result<fs::path> datasetFolder(const MergedSettings& merged, const projects::ProjectPaths& project)
{
    const DatasetAccess access = merged.mode.datasets;
    for (const auto& [key, needs] :
         { std::pair<const char*, DatasetAccess>{ "datasets_folder", DatasetAccess::LocalRo },
           { "hybrid_folder", DatasetAccess::Hybrid } }) {
        const auto found = merged.values.find(std::string_view(key));
        const bool isAsked = found != merged.values.end() && found->second.layer == SettingLayer::CommandLine;
        if (isAsked && access != needs)
            return Error{ Errc::InvalidArgument,
                          found->second.from + " names a folder that only dataset access "
                              + std::string(nameOf(needs)) + " reads, but it is "
                              + said(std::string(nameOf(access)), merged.datasetsFrom)
                              + ": remove one of them" };
    }
    if (access != DatasetAccess::LocalRo && access != DatasetAccess::Hybrid)
        return fs::path();
    const char* key = access == DatasetAccess::LocalRo ? "datasets_folder" : "hybrid_folder";
    const std::string* chosen = merged.text(key);
    const auto folder = chosenPlace(merged, key, project.datasets, project);
    if (!folder)
        return folder;
    if (overlap(*folder, project.data))
        return Error{ Errc::PermissionDenied,
                      folder->string() + " (" + merged.from(key)
                          + ") cannot be a session's datasets: " + project.data.string()
                          + " has what the project keeps for itself, its keys among them. Name a folder "
                            "that holds the datasets alone" };
    std::error_code failed;
    if (fs::is_directory(*folder, failed))
        return folder;
    const std::string wanted = "dataset access is " + said(std::string(nameOf(access)), merged.datasetsFrom);
    return Error{ Errc::NotFound,
                  wanted + ", but " + folder->string() + " is missing"
                      + (chosen == nullptr
                             ? ". Put the files there, set " + std::string(findSettingKey(key)->variable)
                                 + " in the environment to the folder that has them, or choose NONE."
                             : " (" + merged.from(key) + "; a relative folder is one of the project's)") };
}

Result<void> checkPool(const SessionSettings& settings)
{
    const MergedSettings& merged = settings.merged;
    if (settings.pool.size == 0)
        return {};
    const auto refuse = [&](const std::string& why) {
        return Error{ Errc::InvalidArgument,
                      "sessions cannot be started ahead (" + merged.from("pool") + ") " + why };
    };
    if (merged.mode.storage == SessionStorage::Bind)
        return refuse("where each has a folder of its own: storage is " + said("BIND", merged.storageFrom));
    if (settings.session.keep)
        return refuse("and be kept: --keep-session needs one that bears its thread's name from the start");
    return {};
}

// Splits "a; b" into parts without surrounding spaces.
std::vector<std::string> headersIn(const std::string& text)
{
    std::vector<std::string> found;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(';', from), text.size());
        const std::size_t first = text.find_first_not_of(' ', from);
        if (first < end)
            found.push_back(text.substr(first, text.find_last_not_of(' ', end - 1) - first + 1));
        from = end + 1;
    }
    return found;
}

// A project's own file comes with the graph and may be somebody else's.
Result<void> checkIsThisUsers(const MergedSettings& merged, const char* key, const char* what)
{
    const auto found = merged.values.find(std::string_view(key));
    if (found == merged.values.end() || found->second.isThisUsers())
        return {};
    return Error{ Errc::PermissionDenied,
                  merged.from(key) + ": a project's own file does not decide " + what + "; set "
                      + std::string(findSettingKey(key)->variable)
                      + " in the environment or in a file for --env-file, or --set " + std::string(key)
                      + "=…" };
}

// Without TLS a secret may only go to addresses that this user trusts.
Result<void> checkSecretHeader(const std::string& text, const sandbox::egress::EgressPolicy& trusted)
{
    const auto header = sandbox::egress::parseEgressHeader(text);
    if (!header)
        return header.error();
    if (!settings::isSecretName(header->secret))
        return Error{ Errc::InvalidArgument,
                      "\"" + header->secret.substr(0, 64) + "\" is no name for a secret" };
    if (!header->tls && std::ranges::find(trusted.trusts, header->place) == trusted.trusts.end())
        return Error{
            Errc::InvalidArgument,
            "\"" + header->secret + "\" would go to " + header->place.text()
                + " without TLS. Leave \"http://\" away, or name that address in SANDBOX_EGRESS_TRUSTS"
        };
    return {};
}

Result<void> checkEgress(const SessionSettings& settings)
{
    const MergedSettings& merged = settings.merged;
    const sessions::SessionSpec& spec = settings.session;
    if (auto ours = checkIsThisUsers(merged, "egress_trusts", "which private addresses are reached"); !ours)
        return ours;
    if (auto ours = checkIsThisUsers(merged, "secret_headers", "which host is shown a secret"); !ours)
        return ours;
    if (auto ours = checkIsThisUsers(merged, "model_keys", "which host is shown a key"); !ours)
        return ours;
    if (auto ours = checkIsThisUsers(merged, "http_hosts", "which hosts http nodes may ask"); !ours)
        return ours;
    if (spec.egress.empty() && spec.secretHeaders.empty())
        return {};
    if (auto policy = sandbox::egress::egressPolicy(spec.egress, {}); !policy)
        return std::move(policy.error()).during(merged.from("egress"));
    const auto trusted = sandbox::egress::egressPolicy({}, spec.egressTrusts);
    if (!trusted)
        return Error(trusted.error()).during(merged.from("egress_trusts"));
    for (const std::string& text : spec.secretHeaders)
        if (auto checked = checkSecretHeader(text, *trusted); !checked)
            return std::move(checked.error()).during(merged.from("secret_headers"));
    return {};
}

Result<void> checkBackend(const SessionSettings& settings)
{
    const sandbox::BackendKind* kind = sandbox::findBackendKind(settings.session.backend);
    if (settings.session.keep && kind != nullptr && !kind->mayBeKept)
        return Error{ Errc::InvalidArgument,
                      "a " + settings.session.backend
                          + " session ends with the program that started it; --keep-session needs "
                          + sandbox::backendNames([](const auto& each) { return each.mayBeKept; }) };
    return {};
}

// Combines the requirements of graph and file. Validation reports their positions in the graph.
Result<std::vector<std::string>> requirementsOf(const graph::Requirements& wanted,
                                                const projects::ProjectPaths& project)
{
    constexpr std::size_t kMostFile = 1U << 20;
    std::vector<std::string> lines;
    for (const std::string& line : wanted.lines) {
        auto parsed = graph::parseRequirement(line);
        if (!parsed)
            return std::move(parsed.error()).during("/sandbox/requirements of the graph file");
        lines.push_back(std::move(*parsed));
    }
    if (!wanted.file.empty()) {
        const auto path = RelativePath::parse(wanted.file);
        const auto text =
            path ? readFile(project.folder / path->text(), kMostFile) : Result<std::string>(path.error());
        auto parsed =
            text ? graph::parseRequirementsFile(*text) : Result<std::vector<std::string>>(text.error());
        if (!parsed)
            return std::move(parsed.error())
                .during("/sandbox/requirements of the graph file: " + wanted.file);
        lines = std::move(*parsed);
    }
    return graph::sortedRequirements(std::move(lines));
}

// Returns the settings that apply without a graph and a command line.
Result<MergedSettings> settingsOutside(const projects::ProjectPaths& project)
{
    auto settings = outerSettings(project, {}, processEnvironment, {});
    return settings ? mergeSettings(*settings) : Result<MergedSettings>(std::move(settings.error()));
}

// Nodes with a role have sessions of their own: what a role may do, others may not.
void addRoleNodes(const graph::Graph& graph, std::set<std::string>& nodes)
{
    for (const graph::Node& node : graph.nodes) {
        const Value* role = node.settings.find(graph::kRoleKey);
        if (role != nullptr && role->isString() && !role->asString().empty())
            nodes.insert(node.name.value);
        if (node.subgraph)
            addRoleNodes(*node.subgraph, nodes);
    }
}

} // namespace

std::map<std::string, sessions::SessionSharing::Secrets> ownSecretsOf(const graph::Graph& graph)
{
    std::map<std::string, sessions::SessionSharing::Secrets> found;
    for (auto& [node, own] : graph::ownSecrets(graph))
        found.emplace(node, sessions::SessionSharing::Secrets{ own.names, own.headers });
    return found;
}

bool usesSandbox(const graph::Graph& graph)
{
    return std::ranges::any_of(graph.nodes,
                               [](const graph::Node& node) {
                                   return graph::usesSandbox(node)
                                       || node.errorHandler.find("file") != nullptr
                                       || (node.subgraph && usesSandbox(*node.subgraph));
                               })
        || std::ranges::any_of(graph.branches,
                               [](const graph::Branch& branch) { return branch.settings.contains("file"); });
}

Result<SessionSettings> sessionSettings(const graph::Graph& graph, const projects::ProjectPaths& project,
                                        const SessionChoice& choice)
{
    SettingValues values = graphSettings(graph.sandbox);
    values.insert(values.end(), choice.settings.begin(), choice.settings.end());
    if (!choice.backend.empty())
        values.push_back(
            { "backend", choice.backend, SettingLayer::CommandLine, "--backend on the command line" });
    auto merged = mergeSettings(values);
    if (!merged)
        return std::move(merged.error());
    SessionSettings settings;
    settings.merged = std::move(*merged);
    const auto text = [&](const char* key, const char* fallback) {
        const std::string* found = settings.merged.text(key);
        return found == nullptr ? std::string(fallback) : *found;
    };
    sessions::SessionSpec& spec = settings.session;
    spec.backend = text("backend", sandbox::kAutoBackend.data());
    spec.connection = text("connection", "");
    spec.mode = settings.merged.mode;
    spec.image = text("image", kDefaultImage);
    if (spec.backend == sandbox::kAutoBackend && spec.image != kDefaultImage)
        spec.backend = sandbox::firstBackendOn(sandbox::RunsOn::Image)
                           .name; // the graph needs its image, which only this backend runs
    spec.keep = choice.keep;
    spec.offline = text("offline", "no") == "yes";
    if (const std::string hosts = text("egress", "none"); hosts != "none")
        spec.egress = namesIn(hosts);
    spec.egressTrusts = namesIn(text("egress_trusts", ""));
    spec.secretHeaders = headersIn(text("secret_headers", ""));
    spec.secrets = graph.sandbox.secrets;
    std::ranges::sort(spec.secrets);
    spec.secrets.erase(std::unique(spec.secrets.begin(), spec.secrets.end()), spec.secrets.end());
    auto requirements = requirementsOf(graph.sandbox.requirements, project);
    if (!requirements)
        return std::move(requirements.error());
    spec.requirements = std::move(*requirements);
    auto modules = projects::moduleFolders(graph, project.folder);
    if (!modules)
        return std::move(modules.error());
    spec.modules = std::move(*modules);
    settings.sharing.scope = kindNamed<SessionScope>(text("scope", "thread")).value_or(SessionScope::Thread);
    settings.sharing.ownSecrets = ownSecretsOf(graph);
    settings.sharing.ownNodes = { graph.sandbox.ownSessions.begin(), graph.sandbox.ownSessions.end() };
    addRoleNodes(graph, settings.sharing.ownNodes);
    settings.pool.size = static_cast<int>(settings.merged.number("pool").value_or(0));
    settings.pool.paused = text("pool_state", "running") == "paused";
    spec.preload = namesIn(text("preload", settings.pool.size > 0 ? kPooledModules : ""));
    applyLimits(settings.merged, settings);
    if (auto checked = checkBackend(settings); !checked)
        return checked.error();
    auto folder = datasetFolder(settings.merged, project);
    if (!folder)
        return std::move(folder.error());
    spec.datasetFolder = std::move(*folder);
    if (auto checked = checkPool(settings); !checked)
        return checked.error();
    if (auto checked = checkEgress(settings); !checked)
        return checked.error();
    return settings;
}

Result<SettingValues> outerSettings(const projects::ProjectPaths& project, const fs::path& envFile,
                                    const EnvironmentLookup& environment, const SettingValues& commandLine)
{
    SettingValues values;
    std::error_code failed;
    if (const fs::path noted = notedPlaces(project); fs::exists(noted, failed)) {
        auto read = envFileSettings(noted);
        if (!read)
            return std::move(read.error());
        values = std::move(*read);
        std::erase_if(values, [](const SettingValue& value) { return value.key != "bucket"; });
    }
    const fs::path file = envFile.empty() ? project.folder / kEnvFile : envFile;
    if (!envFile.empty() || fs::exists(file, failed)) {
        auto read = envFileSettings(file);
        if (!read)
            return std::move(read.error());
        for (SettingValue& value : *read) {
            value.isNamed = !envFile.empty();
            values.push_back(std::move(value));
        }
    }
    const SettingValues fromEnvironment = environmentSettings(environment);
    values.insert(values.end(), fromEnvironment.begin(), fromEnvironment.end());
    values.insert(values.end(), commandLine.begin(), commandLine.end());
    return values;
}

Result<artifacts::CollectOptions> collectOptions(const projects::ProjectPaths& project)
{
    const auto merged = settingsOutside(project);
    if (!merged)
        return merged.error();
    artifacts::CollectOptions options;
    if (const auto days = merged->number("artifacts_days"))
        options.retention.age = std::chrono::hours(24 * std::llround(*days));
    if (const auto size = merged->number("artifacts_mb"))
        options.retention.bytes = static_cast<std::uint64_t>(bytesOf(*size));
    return options;
}

bool mayHaveSecret(const MergedSettings& settings, const std::string& name)
{
    const auto found = settings.values.find(std::string_view("secrets"));
    if (found == settings.values.end() || found->second.layer < SettingLayer::Environment)
        return false;
    const std::vector<std::string> names = namesIn(found->second.text);
    return std::ranges::find(names, name) != names.end();
}

bool mayGiveSecret(const MergedSettings& settings, const std::string& name)
{
    const auto found = settings.values.find(std::string_view("secret_headers"));
    if (found == settings.values.end() || found->second.layer < SettingLayer::Environment)
        return false;
    return std::ranges::any_of(headersIn(found->second.text), [&](const std::string& text) {
        const auto header = sandbox::egress::parseEgressHeader(text);
        return header && header->secret == name;
    });
}

bool mayShowKey(const MergedSettings& settings, const std::string& name, const ModelPlace& place)
{
    const auto found = settings.values.find(std::string_view("model_keys"));
    if (found == settings.values.end() || !found->second.isThisUsers())
        return false;
    const std::string port = place.place.substr(place.place.rfind(':'));
    const bool isUsualPort = port == (place.scheme == "https" ? ":443" : ":80");
    const std::string host = place.place.substr(0, place.place.rfind(':'));
    const bool isPlain = place.scheme == "http";
    std::istringstream words(found->second.text);
    for (std::string word; words >> word;) {
        if (!word.starts_with(name + "@"))
            continue;
        word.erase(0, name.size() + 1);
        // Without TLS the entry must say so, but for this machine.
        const bool saysPlain = word.starts_with("http://");
        if (saysPlain ? !isPlain : isPlain && !place.isThisMachine)
            continue;
        if (saysPlain)
            word.erase(0, std::string_view("http://").size());
        if (word == place.place || (isUsualPort && word == host))
            return true;
    }
    return false;
}

bool mayAsk(const MergedSettings& settings, const ModelPlace& place)
{
    const auto found = settings.values.find(std::string_view("http_hosts"));
    if (found == settings.values.end() || !found->second.isThisUsers())
        return false;
    const std::size_t colon = place.place.rfind(':');
    const std::string host = place.place.substr(0, colon);
    const bool isUsualPort = place.place.substr(colon) == (place.scheme == "https" ? ":443" : ":80");
    std::string text = found->second.text;
    std::ranges::replace(text, ',', ' ');
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        // Without TLS the entry must say so.
        const bool isPlain = word.starts_with("http://");
        if (isPlain != (place.scheme == "http"))
            continue;
        for (const std::string_view scheme : { "http://", "https://" })
            if (word.starts_with(scheme))
                word.erase(0, scheme.size());
        if (word == place.place || (isUsualPort && word == host))
            return true;
        // A name below it; never an address, and at the usual port alone.
        if (isUsualPort && word.starts_with("*.") && word.size() > 3 && host.size() > word.size() - 1
            && host.ends_with(std::string_view(word).substr(1))
            && host.find_first_not_of("0123456789.") != std::string::npos)
            return true;
    }
    return false;
}

sessions::SnapshotLimits snapshotLimits(const MergedSettings& settings)
{
    sessions::SnapshotLimits limits;
    if (const auto count = settings.number("snapshots_live"))
        limits.live = static_cast<int>(*count);
    if (const auto size = settings.number("snapshots_memory_mb"))
        limits.memoryBytes = bytesOf(*size);
    if (const auto size = settings.number("snapshot_files_mb"))
        limits.fileBytes = bytesOf(*size);
    if (const auto size = settings.number("snapshots_mb"))
        limits.projectBytes = bytesOf(*size);
    return limits;
}

Result<sessions::SnapshotLimits> snapshotLimits(const projects::ProjectPaths& project)
{
    const auto merged = settingsOutside(project);
    if (!merged)
        return merged.error();
    return snapshotLimits(*merged);
}

artifacts::ArtifactStoreOptions artifactOptions(const MergedSettings& settings)
{
    artifacts::ArtifactStoreOptions options;
    if (const auto size = settings.number("artifact_mb"))
        options.maxFileBytes = static_cast<std::uint64_t>(bytesOf(*size));
    return options;
}

Result<projects::ProjectPaths> placedByEnvironment(projects::ProjectPaths project)
{
    const auto settings = outerSettings(project, {}, processEnvironment, {});
    if (!settings)
        return settings.error();
    return placedProject(std::move(project), *settings);
}

} // namespace sg::config
