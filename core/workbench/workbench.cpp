#include "core/workbench/workbench.h"

#include "core/audit/audit_writer.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/config/artifact_place.h"
#include "core/config/collector.h"
#include "core/config/mcp_servers.h"
#include "core/config/model_desk.h"
#include "core/config/project_sessions.h"
#include "core/config/secrets.h"
#include "core/config/session_settings.h"
#include "core/expressions/jq_evaluator.h"
#include "core/graph/included_graphs.h"
#include "core/graph/node_kinds.h"
#include "core/history/database.h"
#include "core/layers/requirement_layers.h"
#include "core/nodes/node_catalog.h"
#include "core/projects/project_store.h"
#include "core/rewind/snapshot_storage.h"
#include "core/rewind/snapshot_use.h"
#include "core/runs/project_runs.h"
#include "core/sessions/live/session_entry.h"
#include "core/sessions/manager/session_care.h"
#include "core/sessions/snapshots/snapshot_room.h"
#include "core/telemetry/run_spans.h"
#include "core/telemetry/span_exporter.h"
#include "core/workers/role_pools.h"

#include <algorithm>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>

namespace sg::workbench {
namespace {

bool reachesOut(const graph::Graph& graph)
{
    return std::ranges::any_of(graph.nodes, [](const graph::Node& node) {
        const graph::NodeKind* kind = graph::findNodeKind(node.kind);
        return (kind != nullptr && kind->effect == graph::SideEffect::ReachesOut)
            || (node.subgraph && reachesOut(*node.subgraph));
    });
}

// Takes the place of runs in a read-only project.
class NoRuns final : public runs::Runs {
public:
    Result<RunId> start(const runs::RunRequest&) override
    {
        return Error{ Errc::Unsupported, "the database was opened read-only: nothing can be run on it" };
    }
    void stop(const RunId&) override { }
    void pause(const RunId&) override { }
    Result<void> stopPaused(const ThreadId&) override
    {
        return Error{ Errc::Unsupported, "the database was opened read-only" };
    }
    engine::RunResult wait(const RunId& run) override
    {
        engine::RunResult result;
        result.run = run;
        result.status = RunStatus::Failed;
        return result;
    }
    [[nodiscard]] std::vector<std::pair<RunId, ThreadId>> running() const override { return {}; }
    void keepCellOutput(const ThreadId&, WallTime, engine::LogLine) override { }
    void flushLog() override { }
    Publisher<engine::RunEvent>& events() override { return m_events; }

private:
    Publisher<engine::RunEvent> m_events;
};

const graph::Problem* firstError(const std::vector<graph::Problem>& problems)
{
    const auto found =
        std::ranges::find(problems, graph::Problem::Severity::Error, &graph::Problem::severity);
    return found == problems.end() ? nullptr : &*found;
}

std::vector<std::string> inputChannels(const graph::Graph& graph)
{
    if (graph.input)
        return *graph.input;
    std::vector<std::string> names;
    for (const graph::Channel& channel : graph.channels)
        names.push_back(channel.name);
    return names;
}

audit::AuditEntry refusalRow(const engine::TaskInfo& task, const nodes::RefusedCall& call)
{
    audit::AuditEntry row;
    row.kind = "tool";
    row.thread = task.thread;
    row.run = task.run;
    row.agent = task.node.value;
    row.subject = call.subject;
    row.outcome = "denied";
    row.details = Value::map({ { "tool", call.tool }, { "why", call.why } });
    return row;
}

struct RunnableGraph {
    graph::Graph graph;
    std::string text; // as it is saved
};

engine::Durability durabilityOf(const graph::Graph& graph)
{
    return graph.durability == "async" ? engine::Durability::Async
        : graph.durability == "exit"   ? engine::Durability::Exit
                                       : engine::Durability::Sync;
}

} // namespace

// The members are built and destroyed in this order: runs end before sessions, sessions before their stores.
struct Workbench::Impl {
    explicit Impl(WorkbenchOptions chosen)
        : options(std::move(chosen))
    {
    }

    Result<config::MergedSettings> openFiles();
    void makeSessions(const config::MergedSettings& merged);
    void makeRuns();
    void takeUpSessions(const std::stop_token& stop) const;
    // A null request compiles without running.
    Result<runs::ProjectRuns::Compiled> compile(const runs::RunRequest* request,
                                                const runs::ProjectRuns::Listeners& listeners,
                                                runs::Check check);
    // Null where the graph names none.
    [[nodiscard]] Result<std::shared_ptr<mcp::ToolServers>>
    mcpServers(const graph::Graph& graph, const config::SessionSettings& sessionSettings);
    // The graph as it runs: checked, and with the graphs that it includes.
    Result<RunnableGraph> runnableGraph(runs::Check check) const;
    Result<nodes::NodeWorld> nodeWorld(const graph::Graph& graph, const std::string& tenant);
    Result<void> makeTelemetry(const config::MergedSettings& merged);
    void listen(nodes::NodeWorld& world, const runs::ProjectRuns::Listeners& listeners) const;
    // Returns the folder for LOCAL_RO and HYBRID sessions that the graph file names now.
    [[nodiscard]] std::filesystem::path datasetFolder() const;
    [[nodiscard]] graph::Graph graphAsItIs() const; // from the disk; empty if it cannot be read

    [[nodiscard]] config::SessionChoice choice() const
    {
        return { options.backend, options.keepSessions, settings };
    }

    WorkbenchOptions options; // constant once open
    config::SettingValues settings; // env file, environment, command line; constant once open
    const Workbench* self = nullptr;
    SystemClock clock;
    SystemRandom random;
    models::ChatClient chatClient{ clock, random };
    std::unique_ptr<history::Database> database;
    std::unique_ptr<artifacts::ArtifactStore> artifacts;
    std::unique_ptr<audit::AuditWriter> audit; // null if nothing can be written
    Subscription audited; // outlives the sessions, to hear of their end
    std::unique_ptr<telemetry::SpanExporter> exporter; // null: this user names no collector
    std::unique_ptr<telemetry::RunSpans> spans; // null with it
    std::unique_ptr<datasets::DatasetDesk> datasets;
    std::unique_ptr<layers::RequirementLayers> layers;
    std::unique_ptr<sessions::SessionManager> sessions;
    config::SharedServers servers;
    std::unique_ptr<runs::ThreadStates> states;
    std::optional<rewind::Snapshots> snapshots;
    std::unique_ptr<workers::RolePools> pools; // null: no queue is configured
    std::unique_ptr<runs::Runs> runs;
    Subscription endedRuns; // a run's own sessions end with it
    Subscription toldRuns;
    std::jthread takingUp; // last, so that it ends before what it works on
};

// Takes up this project's sessions that a killed program left, with their names, and removes those that
// cannot be taken up. If there are too many, the others wait until somebody asks for them.
void Workbench::Impl::takeUpSessions(const std::stop_token& stop) const
{
    std::vector<sessions::SessionInfo> left = sessions->list();
    std::erase_if(left, [](const sessions::SessionInfo& info) {
        return !info.state.is(sessions::SessionState::Kind::LeftBehind);
    });
    if (left.empty())
        return;
    auto file = runs::checkedGraph(options.project, runs::Check::Form, settings);
    const auto spec = file ? config::sessionSettings(file->graph, options.project, choice())
                           : Result<config::SessionSettings>(file.error());
    bool isAnyWaiting = false;
    for (const sessions::SessionInfo& info : left) {
        if (!spec || info.thread.empty())
            continue;
        const auto taken =
            sessions->acquire(info.thread, config::specOfPart(spec->session, file->graph, info.part), stop,
                              {}, sessions::SessionManager::For::Nobody);
        if (stop.stop_requested())
            return;
        if (taken)
            continue;
        isAnyWaiting = isAnyWaiting || taken.error().code == Errc::LimitExceeded;
        if (taken.error().code != Errc::LimitExceeded)
            logMessage(LogLevel::Warning, taken.error().message);
    }
    if (isAnyWaiting) // they end by themselves if nobody asks
        return;
    if (auto swept = sessions->sweepOrphans(); !swept)
        logMessage(LogLevel::Warning, swept.error().message);
}

Workbench::Workbench(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Workbench::~Workbench() = default;

// Opens settings, database and artifacts, which all else is made of.
Result<config::MergedSettings> Workbench::Impl::openFiles()
{
    auto outer =
        config::outerSettings(options.project, options.envFile, config::processEnvironment, options.settings);
    if (!outer)
        return std::move(outer.error());
    settings = std::move(*outer);
    auto placed = config::placedProject(options.project, settings);
    if (!placed)
        return std::move(placed.error());
    options.project = std::move(*placed);
    const projects::ProjectPaths& project = options.project;
    std::error_code failed;
    std::filesystem::create_directories(project.data, failed);
    if (failed)
        return Error{ Errc::Io,
                      "create " + project.data.string() + ": " + failed.message()
                          + ". The project folder must be writable: what runs make is kept there." };
    const auto access =
        options.readOnly ? history::Database::Access::ReadOnly : history::Database::Access::ReadWrite;
    auto opened = project.shared.empty() ? history::Database::open(project.checkpoints, access)
                                         : history::Database::openShared(project.shared, access);
    if (!opened)
        return std::move(opened.error());
    database = std::move(*opened);
    if (!options.readOnly)
        if (auto noted = rewind::noteDatabase(project.data, project.checkpoints); !noted)
            return std::move(noted.error());
    auto merged = config::mergeSettings(settings);
    if (!merged)
        return std::move(merged.error());
    auto store = config::openArtifacts(project, *merged);
    if (!store)
        return std::move(store.error());
    // Goes on with uploads that wait. A run says at its start that there are no keys; other work needs none.
    if (const auto& shared = (*store)->contents().shared(); shared != nullptr && !options.readOnly)
        static_cast<void>(shared->check());
    artifacts = std::move(*store);
    return std::move(*merged);
}

void Workbench::Impl::makeSessions(const config::MergedSettings& merged)
{
    const projects::ProjectPaths& project = options.project;
    sessions::SessionManagerOptions chosen =
        config::sessionOptions(options.project, options.runtime, options.readOnly);
    chosen.snapshotLimits = config::snapshotLimits(merged);
    chosen.snapshotRoom =
        std::make_shared<sessions::SnapshotRoom>(project.snapshots, chosen.snapshotLimits.projectBytes);
    checkpoint::SnapshotLog* log = database->store().snapshotLog();
    if (log != nullptr && !options.readOnly)
        chosen.snapshotStored = [log](const SnapshotId& id, const Value& names) {
            const auto kept = rewind::keepStoredNames(*log, id, names);
            if (!kept)
                logMessage(LogLevel::Warning,
                           "snapshot " + id.value + " is not kept: " + kept.error().message);
            return !kept || *kept;
        };
    chosen.snapshotOf = [&store = database->store()](const ThreadId& thread,
                                                     const sessions::SessionPart& part) {
        auto found = rewind::newestSnapshot(store, thread, part);
        if (!found)
            logMessage(LogLevel::Warning,
                       "the snapshot of thread " + thread.value
                           + " cannot be read: " + found.error().message);
        return found ? *found : nullptr;
    };
    if (log != nullptr)
        snapshots.emplace(*log, project.snapshots);
    datasets = std::make_unique<datasets::DatasetDesk>(
        config::datasetFolders(project), [this] { return datasetFolder(); }, *artifacts, clock,
        [this](audit::AuditEntry entry) {
            if (audit)
                static_cast<void>(audit->add(std::move(entry)));
        });
    chosen.answerTool = [this](sessions::Session& session, const sessions::ToolCall& call) {
        return datasets->answer(session, call);
    };
    if (!options.readOnly) {
        audit = std::make_unique<audit::AuditWriter>(project.audit);
        chosen.findSecret = config::projectSecrets(merged);
        chosen.findHeaderSecret = config::headerSecrets(merged);
        chosen.authorities = config::processEnvironment("SSL_CERT_FILE").value_or("");
    }
    if (audit)
        chosen.audit = [this](audit::AuditEntry entry, sessions::AuditWhen when) -> Result<void> {
            if (when == sessions::AuditWhen::Now)
                return audit->add(std::move(entry));
            audit->addSoon(std::move(entry));
            return {};
        };
    chosen.isInRun = [this](const ThreadId& thread) {
        const auto running = runs ? runs->running() : std::vector<std::pair<RunId, ThreadId>>();
        return std::ranges::find(running, thread, &std::pair<RunId, ThreadId>::second) != running.end();
    };
    layers = std::make_unique<layers::RequirementLayers>(config::layersFolder(), config::processEnvironment,
                                                         config::installWatch(audit.get()));
    chosen.layers = [this](const sessions::LayerWish& wish) { return layers->layerFor(wish); };
    sessions = std::make_unique<sessions::SessionManager>(config::makeBackends(project.id, merged),
                                                          *artifacts, clock, random, std::move(chosen));
    if (audit)
        audited = sessions->events().subscribe([this](const sessions::SessionEvent& event) {
            if (auto entry = sessions::auditEntryOf(event))
                static_cast<void>(audit->add(std::move(*entry)));
        });
}

Result<void> Workbench::Impl::makeTelemetry(const config::MergedSettings& merged)
{
    if (options.readOnly)
        return {};
    auto collector = config::namedCollector(merged, audit.get());
    if (!collector)
        return std::move(collector.error());
    if (!*collector)
        return {};
    exporter = std::make_unique<telemetry::SpanExporter>(std::move(**collector));
    spans = std::make_unique<telemetry::RunSpans>(
        [this](telemetry::Span span) { exporter->add(std::move(span)); }, clock);
    return {};
}

void Workbench::Impl::makeRuns()
{
    states = std::make_unique<runs::ThreadStates>(
        runs::ThreadStates::World{ database->store(), database->file(), clock, random,
                                   [this] { return compile(nullptr, {}, runs::Check::Form); } });
    if (options.readOnly) {
        runs = std::make_unique<NoRuns>();
    } else {
        runs = std::make_unique<runs::ProjectRuns>(runs::ProjectRuns::World{
            database->store(), database->log(), database->file(), clock, random,
            [this](const runs::RunRequest& request, const runs::ProjectRuns::Listeners& listeners) {
                return compile(&request, listeners, runs::Check::All);
            } });
    }
    if (spans)
        toldRuns = runs->events().subscribe([this](const engine::RunEvent& event) { spans->take(event); });
    endedRuns = runs->events().subscribe([this](const engine::RunEvent& event) {
        if (std::holds_alternative<engine::RunFinished>(event.body))
            sessions->endRun(event.run);
    });
}

Result<std::unique_ptr<Workbench>> Workbench::open(WorkbenchOptions options)
{
    auto impl = std::make_unique<Impl>(std::move(options));
    const auto merged = impl->openFiles();
    if (!merged)
        return merged.error();
    impl->makeSessions(*merged);
    if (auto telemetry = impl->makeTelemetry(*merged); !telemetry)
        return std::move(telemetry.error());
    auto pools = workers::RolePools::open(*merged, impl->artifacts->contents());
    if (!pools)
        return std::move(pools.error());
    impl->pools = std::move(*pools);
    impl->makeRuns();
    Impl& world = *impl;
    std::unique_ptr<Workbench> made(new Workbench(std::move(impl)));
    world.self = made.get();
    if (world.options.startAhead && !world.options.readOnly)
        world.takingUp = std::jthread([&world](const std::stop_token& stop) { world.takeUpSessions(stop); });
    return made;
}

Result<RunnableGraph> Workbench::Impl::runnableGraph(runs::Check check) const
{
    const std::string name = options.project.graph.filename().string();
    auto file = runs::checkedGraph(options.project, check == runs::Check::Form ? check : runs::Check::Files,
                                   settings);
    if (!file)
        return std::move(file.error());
    if (const graph::Problem* problem = firstError(file->problems))
        return Error{ Errc::InvalidArgument, graph::describe(*problem, name) };
    auto whole = graph::withIncludedGraphs(file->graph, options.project.folder);
    if (!whole)
        return std::move(whole.error()).during(name);
    return RunnableGraph{ std::move(*whole), graph::graphText(file->graph) };
}

// The parts of the project that its nodes use.
Result<nodes::NodeWorld> Workbench::Impl::nodeWorld(const graph::Graph& graph, const std::string& tenant)
{
    auto spec = config::sessionSettings(graph, options.project, choice());
    if (!spec)
        return std::move(spec.error());
    auto named = mcpServers(graph, *spec);
    if (!named)
        return std::move(named.error()).during(options.project.graph.filename().string());
    if (options.startAhead)
        sessions->startAhead(spec->session, spec->pool);
    nodes::NodeWorld world;
    world.projectFolder = options.project.folder;
    world.sessions = sessions.get();
    world.artifacts = artifacts.get();
    world.session = std::move(spec->session);
    world.limits = spec->cell;
    world.sharing = std::move(spec->sharing);
    world.runsBeside = graph.sandbox.parallel != "serial";
    world.datasets = datasets.get();
    world.missingPackages = config::missingPackages(options.runtime);
    world.jqHelper = expressions::findJqHelper();
    if (const auto mebibytes = spec->merged.number("jq_mb"))
        world.jqLimits.memoryBytes = static_cast<std::size_t>(*mebibytes) << 20U;
    if (graph.store.enabled)
        world.askStore = projects::storeOnUse(options.project.store, graph.store, tenant, clock);
    auto desk = config::modelDesk(graph, options.project, spec->merged, chatClient, clock, audit.get());
    if (!desk)
        return std::move(desk.error());
    if (spans)
        (*desk)->told = [this](const models::ToldCall& call) { spans->take(call); };
    world.models = std::move(*desk);
    world.llmDefaults = graph.llm;
    world.toolServers = std::move(*named);
    world.mayReach = config::hostsOfNodes(spec->merged, audit.get());
    return world;
}

void Workbench::Impl::listen(nodes::NodeWorld& world, const runs::ProjectRuns::Listeners& listeners) const
{
    if (listeners.packagesUsed)
        world.packagesUsed = [used = listeners.packagesUsed](const engine::TaskInfo&,
                                                             const sessions::SessionInfo& session) {
            used({ session.layer, session.packages });
        };
    if (listeners.modulesImported)
        world.modulesImported =
            [imported = listeners.modulesImported](const std::vector<sessions::ImportedModule>& modules) {
                checkpoint::RunPackages packages{ checkpoint::kProjectModules, {} };
                for (const sessions::ImportedModule& module : modules)
                    packages.pins.push_back(module.file + " sha256:" + module.sha256);
                imported(packages);
            };
    if (listeners.artifactStored)
        world.artifactStored = [stored = listeners.artifactStored](const engine::TaskInfo& task,
                                                                   const artifacts::Artifact& artifact) {
            stored({ artifact.id, task.node, artifact.name, artifact.size });
        };
    if (spans)
        world.toolUsed = [this](const engine::TaskInfo& task, const NodeId& agent,
                                const nodes::ToolUse& use) {
            spans->take(task, { agent.value, use.tool, use.call, use.error, use.took });
        };
    world.refused = [this](const engine::TaskInfo& task, const nodes::RefusedCall& call) {
        if (audit)
            audit->addSoon(refusalRow(task, call));
    };
}

// With Check::All the helper that will run the jq programs compiles them, because starting a helper is slow.
Result<runs::ProjectRuns::Compiled> Workbench::Impl::compile(const runs::RunRequest* request,
                                                             const runs::ProjectRuns::Listeners& listeners,
                                                             runs::Check check)
{
    const std::string name = options.project.graph.filename().string();
    auto runnable = runnableGraph(check);
    if (!runnable)
        return std::move(runnable.error());
    const graph::Graph& graph = runnable->graph;
    runs::ProjectRuns::Compiled compiled;
    compiled.tenant = projects::chosenTenant(options.tenant, graph.store);
    if (audit)
        audit->setTenant(compiled.tenant);
    auto world = nodeWorld(graph, compiled.tenant);
    if (!world)
        return std::move(world.error());
    listen(*world, listeners);
    checkpoint::SnapshotLog* log = database->store().snapshotLog();
    if (request != nullptr && log != nullptr && config::usesSandbox(graph)) {
        compiled.world =
            std::make_unique<rewind::RunWorld>(*log, request->sandbox, request->checkpoint.has_value());
        world->sessionWorld = compiled.world.get();
    }
    workers::runRolesHere(graph, *world);
    if (pools)
        compiled.receipts = pools->give(graph, database->store(), *artifacts, compiled.world.get(), *world);
    if (checkpoint::DispatchLog* notes = database->store().dispatchLog();
        request != nullptr && notes != nullptr && reachesOut(graph)) {
        engine::Companion* inner = compiled.receipts.get();
        compiled.effects =
            std::make_unique<runs::EffectLog>(*notes, inner != nullptr ? inner : compiled.world.get());
        world->effects = compiled.effects.get();
    }
    compiled.graphName = projects::nameOfGraph(graph, options.project.graph);
    compiled.graphText = std::move(runnable->text);
    compiled.inputs = inputChannels(graph);
    compiled.durability = durabilityOf(graph);
    auto catalog = nodes::makeNodeCatalog(std::move(*world));
    auto program = engine::compile(graph, *catalog);
    if (!program)
        return std::move(program.error()).during(name);
    if (check == runs::Check::All) {
        if (auto compiles = catalog->checkPrograms(); !compiles)
            return std::move(compiles.error()).during(name);
    }
    compiled.catalog = std::move(catalog);
    compiled.program = std::make_unique<engine::Program>(std::move(*program));
    return compiled;
}

Result<std::shared_ptr<mcp::ToolServers>>
Workbench::Impl::mcpServers(const graph::Graph& graph, const config::SessionSettings& sessionSettings)
{
    return servers.of(
        graph, { options.project, options.runtime, sessionSettings, clock, layers.get(), audit.get() });
}

std::filesystem::path Workbench::Impl::datasetFolder() const
{
    const auto spec = self->sessionSpec();
    return spec && !spec->datasetFolder.empty() ? spec->datasetFolder : options.project.datasets;
}

const projects::ProjectPaths& Workbench::project() const
{
    return m_impl->options.project;
}

bool Workbench::isReadOnly() const
{
    return m_impl->options.readOnly;
}

const config::RuntimePaths& Workbench::runtime() const
{
    return m_impl->options.runtime;
}

Result<graph::GraphFile> Workbench::loadGraph(runs::Check check) const
{
    return runs::checkedGraph(m_impl->options.project, check, m_impl->settings);
}

graph::GraphFile Workbench::checkGraph(std::string_view text, runs::Check check) const
{
    return runs::checkedText(m_impl->options.project, text, check, m_impl->settings);
}

runs::Runs& Workbench::runs()
{
    return *m_impl->runs;
}

history::History& Workbench::history()
{
    return m_impl->database->history();
}

upkeep::ProjectParts Workbench::parts()
{
    return { m_impl->options.project, history(), artifacts(), sessions().records(), isReadOnly() };
}

sessions::SessionManager& Workbench::sessions()
{
    return *m_impl->sessions;
}

Publisher<audit::AuditEntry>* Workbench::audited()
{
    return m_impl->audit ? &m_impl->audit->rows() : nullptr;
}

datasets::DatasetDesk& Workbench::datasets()
{
    return *m_impl->datasets;
}

artifacts::ArtifactStore& Workbench::artifacts()
{
    return *m_impl->artifacts;
}

runs::ThreadStates& Workbench::states()
{
    return *m_impl->states;
}

rewind::Snapshots* Workbench::snapshots()
{
    return m_impl->snapshots ? &*m_impl->snapshots : nullptr;
}

layers::RequirementLayers& Workbench::layers()
{
    return *m_impl->layers;
}

Result<sessions::SessionSpec> Workbench::sessionSpec(const sessions::SessionPart& part) const
{
    return sessionSpecOf(m_impl->graphAsItIs(), part);
}

Result<sessions::SessionSpec> Workbench::sessionSpecOf(const graph::Graph& graph,
                                                       const sessions::SessionPart& part) const
{
    auto settings = config::sessionSettings(graph, m_impl->options.project, m_impl->choice());
    if (!settings)
        return std::move(settings.error());
    return config::specOfPart(std::move(settings->session), graph, part);
}

Result<std::shared_ptr<mcp::ToolServers>> Workbench::toolServers() const
{
    auto file = loadGraph(runs::Check::Form);
    if (!file)
        return std::move(file.error());
    auto settings = config::sessionSettings(file->graph, m_impl->options.project, m_impl->choice());
    if (!settings)
        return std::move(settings.error());
    return m_impl->mcpServers(file->graph, *settings);
}

Result<config::SessionSettings> Workbench::sessionSettings() const
{
    return config::sessionSettings(m_impl->graphAsItIs(), m_impl->options.project, m_impl->choice());
}

graph::Graph Workbench::Impl::graphAsItIs() const
{
    if (options.project.graph.empty())
        return {};
    auto file = runs::checkedGraph(options.project, runs::Check::Form);
    return file ? std::move(file->graph) : graph::Graph();
}

} // namespace sg::workbench
