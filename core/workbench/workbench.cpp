#include "core/workbench/workbench.h"

#include "core/audit/audit_writer.h"
#include "core/base/clock.h"
#include "core/config/artifact_place.h"
#include "core/config/collector.h"
#include "core/config/mcp_servers.h"
#include "core/config/model_desk.h"
#include "core/config/placed_project.h"
#include "core/config/project_sessions.h"
#include "core/config/secrets.h"
#include "core/config/session_settings.h"
#include "core/expressions/jq_evaluator.h"
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
#include <stop_token>
#include <system_error>
#include <thread>

namespace sg::workbench {

// The members are built and destroyed in this order: runs end before sessions, sessions before their stores.
struct Workbench::Impl {
    explicit Impl(WorkbenchOptions chosen)
        : options(std::move(chosen))
    {
    }

    Result<config::MergedSettings> openFiles();
    void makeSessions(const config::MergedSettings& merged);
    void writeAudit(sessions::SessionManagerOptions& chosen, const config::MergedSettings& merged);
    void makeRuns();
    // A null request compiles without running.
    Result<runs::ProjectRuns::Compiled> compile(const runs::RunRequest* request,
                                                const runs::ProjectRuns::Listeners& listeners,
                                                runs::Check check);
    // Null where the graph names none.
    [[nodiscard]] Result<std::shared_ptr<mcp::ToolServers>>
    mcpServers(const graph::Graph& graph, const config::SessionSettings& sessionSettings);
    Result<nodes::NodeWorld> nodeWorld(const graph::Graph& graph, const std::string& tenant);
    Result<void> makeTelemetry(const config::MergedSettings& merged);
    void listen(nodes::NodeWorld& world, const runs::ProjectRuns::Listeners& listeners) const;
    // Returns the folder for LOCAL_RO and HYBRID sessions that the graph file names now.
    [[nodiscard]] std::filesystem::path datasetFolder() const;
    [[nodiscard]] graph::Graph graphAsItIs() const; // from the disk; empty if it cannot be read
    [[nodiscard]] Result<config::SessionSettings> settingsOf(const graph::Graph& graph) const
    {
        return config::sessionSettings(graph, options.project,
                                       { options.backend, options.keepSessions, settings });
    }
    [[nodiscard]] Result<graph::GraphFile> graphFile(runs::Check check) const
    {
        return runs::checkedGraph(options.project, check, settings);
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

void Workbench::Impl::writeAudit(sessions::SessionManagerOptions& chosen,
                                 const config::MergedSettings& merged)
{
    if (options.readOnly)
        return;
    audit = std::make_unique<audit::AuditWriter>(options.project.audit);
    chosen.findSecret = config::projectSecrets(merged);
    chosen.findHeaderSecret = config::headerSecrets(merged);
    chosen.authorities = config::processEnvironment("SSL_CERT_FILE").value_or("");
    chosen.audit = [this](audit::AuditEntry entry, sessions::AuditWhen when) -> Result<void> {
        if (when == sessions::AuditWhen::Now)
            return audit->add(std::move(entry));
        audit->addSoon(std::move(entry));
        return {};
    };
}

void Workbench::Impl::makeSessions(const config::MergedSettings& merged)
{
    const projects::ProjectPaths& project = options.project;
    sessions::SessionManagerOptions chosen =
        config::sessionOptions(project, options.runtime, options.readOnly);
    chosen.snapshotLimits = config::snapshotLimits(merged);
    chosen.snapshotRoom =
        std::make_shared<sessions::SnapshotRoom>(project.snapshots, chosen.snapshotLimits.projectBytes);
    checkpoint::SnapshotLog* log = database->store().snapshotLog();
    if (log != nullptr)
        snapshots.emplace(*log, project.snapshots);
    if (log != nullptr && !options.readOnly)
        chosen.snapshotStored = rewind::keeperOfStoredNames(*log);
    chosen.snapshotOf = rewind::newestSnapshots(database->store());
    datasets = std::make_unique<datasets::DatasetDesk>(
        config::datasetFolders(project), [this] { return datasetFolder(); }, *artifacts, clock,
        [this](audit::AuditEntry entry) {
            if (audit)
                static_cast<void>(audit->add(std::move(entry)));
        });
    chosen.answerTool = [this](sessions::Session& session, const sessions::ToolCall& call) {
        return datasets->answer(session, call);
    };
    writeAudit(chosen, merged);
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
        runs = runs::makeNoRuns();
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
        world.takingUp = std::jthread([&world](const std::stop_token& stop) {
            sessions::takeUpLeft(
                *world.sessions,
                [&world](const sessions::SessionPart& part) {
                    auto file = world.graphFile(runs::Check::Form);
                    return file ? world.self->sessionSpecOf(file->graph, part)
                                : Result<sessions::SessionSpec>(std::move(file.error()));
                },
                stop);
        });
    return made;
}

// The parts of the project that its nodes use.
Result<nodes::NodeWorld> Workbench::Impl::nodeWorld(const graph::Graph& graph, const std::string& tenant)
{
    auto spec = settingsOf(graph);
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
    world.runsBeside = kindNamed<graph::Parallel>(graph.sandbox.parallel) != graph::Parallel::Serial;
    world.datasets = datasets.get();
    world.missingPackages = config::missingPackages(options.runtime);
    world.jqHelper = expressions::findJqHelper();
    if (const auto mebibytes = spec->merged.number("jq_mb"))
        world.jqLimits.memoryBytes = static_cast<std::size_t>(*mebibytes) << 20U;
    if (graph.store.enabled)
        world.askStore =
            projects::storeOnUse(projects::storePlace(options.project), graph.store, tenant, clock);
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
    world.packagesUsed = listeners.packagesUsed;
    world.modulesImported = listeners.modulesImported;
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
            audit->addSoon(nodes::auditEntryOf(task, call));
    };
}

// With Check::All the helper that will run the jq programs compiles them, because starting a helper is slow.
Result<runs::ProjectRuns::Compiled> Workbench::Impl::compile(const runs::RunRequest* request,
                                                             const runs::ProjectRuns::Listeners& listeners,
                                                             runs::Check check)
{
    const std::string name = options.project.graph.filename().string();
    auto runnable = runs::runnableGraph(options.project, check, settings);
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
        request != nullptr && notes != nullptr && graph::reachesOut(graph)) {
        engine::Companion* inner = compiled.receipts.get();
        compiled.effects =
            std::make_unique<runs::EffectLog>(*notes, inner != nullptr ? inner : compiled.world.get());
        world->effects = compiled.effects.get();
    }
    compiled.graphName = projects::nameOfGraph(graph, options.project.graph);
    compiled.graphText = std::move(runnable->text);
    compiled.inputs = graph.inputChannels();
    compiled.durability = engine::durabilityOf(graph);
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
    return m_impl->graphFile(check);
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
    auto settings = m_impl->settingsOf(graph);
    if (!settings)
        return std::move(settings.error());
    return config::specOfPart(std::move(settings->session), graph, part);
}

Result<std::shared_ptr<mcp::ToolServers>> Workbench::toolServers() const
{
    auto file = loadGraph(runs::Check::Form);
    if (!file)
        return std::move(file.error());
    auto settings = m_impl->settingsOf(file->graph);
    if (!settings)
        return std::move(settings.error());
    return m_impl->mcpServers(file->graph, *settings);
}

Result<config::SessionSettings> Workbench::sessionSettings() const
{
    return m_impl->settingsOf(m_impl->graphAsItIs());
}

graph::Graph Workbench::Impl::graphAsItIs() const
{
    if (options.project.graph.empty())
        return {};
    auto file = runs::checkedGraph(options.project, runs::Check::Form);
    return file ? std::move(file->graph) : graph::Graph();
}

} // namespace sg::workbench
