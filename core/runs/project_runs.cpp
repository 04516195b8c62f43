#include "core/runs/project_runs.h"

#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/uuid.h"
#include "core/engine/names.h"
#include "core/graph/near_name.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace sg::runs {
namespace {

constexpr std::size_t kParallelTasks = 16; // blocking tasks at once, of all runs of the project together
constexpr std::size_t kKeptResults = 64; // of runs that nobody waited for

// LangGraph drops unknown keys; with a mistyped name a run would go on from the old state unnoticed.
Result<void> checkInput(const engine::RunInput& input, const std::vector<std::string>& known)
{
    if (input.kind != engine::RunInput::Kind::Input || !input.value.isMap())
        return {};
    const std::vector<std::string_view> names(known.begin(), known.end());
    for (const auto& [key, value] : input.value.asMap()) {
        const std::string name = key.isString() ? key.asString() : toJson(key);
        if (std::ranges::find(known, name) != known.end())
            continue;
        std::string all;
        for (const std::string& channel : known)
            all += (all.empty() ? "" : ", ") + channel;
        const std::string near = graph::didYouMean(name, names);
        return Error{ Errc::InvalidArgument,
                      "the input names '" + name + "', which is no input channel of the graph"
                          + (near.empty() ? "." : near)
                          + (all.empty() ? " It has none." : " It takes: " + all) };
    }
    return {};
}

std::string between(std::string_view text, std::string_view before, std::string_view after)
{
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos)
        return {};
    const std::size_t end = text.find(after, begin + before.size());
    if (end == std::string_view::npos)
        return {};
    return std::string(text.substr(begin + before.size(), end - begin - before.size()));
}

// The outermost of them passes all on to the others.
engine::Companion* companionOf(const ProjectRuns::Compiled& compiled)
{
    if (compiled.effects)
        return compiled.effects.get();
    return compiled.receipts ? compiled.receipts.get() : compiled.world.get();
}

} // namespace

struct ProjectRuns::Active {
    Active(RunRequest wanted, RunId id, checkpoint::ThreadLock held)
        : request(std::move(wanted))
        , run(std::move(id))
        , lock(std::move(held))
    {
    }

    // Constant after construction:
    const RunRequest request;
    const RunId run;
    Compiled compiled;
    std::unique_ptr<engine::Engine> engine;
    std::stop_source stop;
    std::stop_source pause;
    std::thread thread;

    std::optional<checkpoint::ThreadLock> lock; // released by the run's own thread at its end
    std::mutex eventMutex;
    std::uint64_t sequence = 0; // guarded by eventMutex
    std::set<std::string> layers; // layers already recorded; guarded by eventMutex
    std::optional<engine::RunResult> result; // guarded by ProjectRuns::m_mutex
};

ProjectRuns::ProjectRuns(World world)
    : m_world(std::move(world))
    , m_recorder(m_world.log)
    , m_pool(kParallelTasks)
{
}

ProjectRuns::~ProjectRuns()
{
    // Runs count as running until they have ended, so that others leave alone what they use.
    std::map<RunId, std::shared_ptr<Active>> runs;
    {
        const std::lock_guard lock(m_mutex);
        runs = m_runs;
    }
    for (const auto& [id, active] : runs)
        active->stop.request_stop();
    for (const auto& [id, active] : runs)
        if (active->thread.joinable())
            active->thread.join();
}

// Makes listeners for events outside the engine, which publish and record for this run.
ProjectRuns::Listeners ProjectRuns::listenersOf(Active& run)
{
    Listeners listeners;
    listeners.artifactStored = [this, &run](engine::ArtifactStored stored) {
        engine::RunEvent event;
        event.time = m_world.clock.now();
        event.thread = run.request.thread;
        event.run = run.run;
        event.body = std::move(stored);
        publish(run, std::move(event));
    };
    listeners.modulesImported = [this, &run](const checkpoint::RunPackages& modules) {
        if (auto noted = m_world.log.addPackages(run.run, modules); !noted)
            logMessage(LogLevel::Warning,
                       "the modules of run " + run.run.value + " are not recorded: " + noted.error().message);
    };
    listeners.packagesUsed = [this, &run](const checkpoint::RunPackages& packages) {
        {
            const std::lock_guard guard(run.eventMutex);
            if (!run.layers.insert(packages.layer).second)
                return;
        }
        if (auto noted = m_world.log.addPackages(run.run, packages); !noted)
            logMessage(LogLevel::Warning,
                       "the packages of run " + run.run.value
                           + " are not recorded: " + noted.error().message);
    };
    return listeners;
}

Result<RunId> ProjectRuns::start(const RunRequest& request)
{
    auto lock = checkpoint::ThreadLock::take(m_world.store, m_world.database, request.thread);
    if (!lock)
        return std::move(lock.error());
    const auto active =
        std::make_shared<Active>(request, RunId(uuidText(uuid4(m_world.random))), std::move(*lock));
    Active& run = *active;
    auto compiled = m_world.compile(request, listenersOf(run));
    if (!compiled)
        return std::move(compiled.error());
    run.compiled = std::move(*compiled);
    if (auto known = checkInput(request.input, run.compiled.inputs); !known)
        return std::move(known.error());
    run.engine =
        std::make_unique<engine::Engine>(*run.compiled.program,
                                         engine::Services{ &m_world.store, m_world.clock, m_world.random,
                                                           &m_pool, companionOf(run.compiled) });
    checkpoint::RunRecord record;
    record.id = run.run;
    record.thread = request.thread;
    record.graph = run.compiled.graphName;
    record.startedAt = m_world.clock.now();
    record.status = RunStatus::Running;
    if (auto noted = m_world.log.startRun(record); !noted)
        return std::move(noted.error());
    if (auto noted = m_world.log.addGraph(run.run, run.compiled.graphText); !noted)
        logMessage(LogLevel::Warning,
                   "the graph of run " + run.run.value + " is not recorded: " + noted.error().message);

    std::vector<std::shared_ptr<Active>> old;
    {
        const std::lock_guard guard(m_mutex);
        for (auto it = m_runs.begin(); it != m_runs.end() && m_runs.size() >= kKeptResults;) {
            const bool done = it->second->result.has_value();
            if (done)
                old.push_back(it->second);
            it = done ? m_runs.erase(it) : std::next(it);
        }
        m_runs[run.run] = active;
        run.thread = std::thread([this, active] { execute(*active); });
    }
    for (const auto& ended : old)
        ended->thread.join();
    return run.run;
}

void ProjectRuns::execute(Active& active)
{
    engine::RunOptions options;
    options.thread = active.request.thread;
    options.run = active.run;
    options.checkpoint = active.request.checkpoint;
    options.recursionLimit = active.request.recursionLimit;
    options.durability = active.request.durability.value_or(active.compiled.durability);
    options.configurable = active.request.configurable;
    options.context = active.request.context;
    if (!active.compiled.tenant.empty())
        options.configurable.set("tenant", active.compiled.tenant);
    options.streamModes = active.request.streamModes;
    options.streamSubgraphs = active.request.streamSubgraphs;
    options.interruptBefore = active.request.pauseBefore;
    options.stop = active.stop.get_token();
    options.pause = active.pause.get_token();
    std::optional<engine::RunEvent> last; // held back until all else about the run is on disk
    engine::RunResult result = active.engine->run(
        active.request.input, options, [this, &active, &last](const engine::RunEvent& event) {
            if (std::holds_alternative<engine::RunFinished>(event.body)) {
                last = event;
                auto& end = std::get<engine::RunFinished>(last->body);
                end.error = runErrorText(end.errorType, end.error);
            } else {
                publish(active, event);
            }
        });
    result.error = runErrorText(result.errorType, result.error);
    m_recorder.flush();
    const std::string error =
        result.errorType.empty() ? result.error : result.errorType + ": " + result.error;
    if (auto noted =
            m_world.log.finishRun(active.run, m_world.clock.now(), result.status, error, result.supersteps);
        !noted)
        logMessage(LogLevel::Warning,
                   "the end of run " + active.run.value + " is not recorded: " + noted.error().message);
    active.lock.reset();
    if (last)
        publish(active, std::move(*last));
    {
        const std::lock_guard guard(m_mutex);
        active.result = std::move(result);
    }
    m_finished.notify_all();
}

void ProjectRuns::publish(Active& active, engine::RunEvent event)
{
    const std::lock_guard guard(active.eventMutex);
    event.sequence = ++active.sequence;
    m_recorder.record(event);
    m_events.publish(event);
}

void ProjectRuns::keepCellOutput(const ThreadId& thread, WallTime time, engine::LogLine output)
{
    m_recorder.record({ 0, time, thread, checkpoint::consoleRun(thread), std::move(output) });
}

void ProjectRuns::stop(const RunId& run)
{
    const std::lock_guard guard(m_mutex);
    if (const auto found = m_runs.find(run); found != m_runs.end())
        found->second->stop.request_stop();
}

void ProjectRuns::pause(const RunId& run)
{
    const std::lock_guard guard(m_mutex);
    if (const auto found = m_runs.find(run); found != m_runs.end())
        found->second->pause.request_stop();
}

Result<void> ProjectRuns::stopPaused(const ThreadId& thread)
{
    const auto lock = checkpoint::ThreadLock::take(m_world.store, m_world.database, thread);
    if (!lock)
        return lock.error();
    auto runs = m_world.log.runs(thread);
    if (!runs)
        return std::move(runs.error());
    if (runs->empty() || runs->front().status != RunStatus::Interrupted)
        return Error{ Errc::NotFound, "thread " + thread.value + " stands at no breakpoint" };
    const checkpoint::RunRecord& last = runs->front();
    return m_world.log.finishRun(last.id, m_world.clock.now(), RunStatus::Stopped, last.error,
                                 last.supersteps);
}

engine::RunResult ProjectRuns::wait(const RunId& run)
{
    std::shared_ptr<Active> active;
    {
        std::unique_lock guard(m_mutex);
        const auto found = m_runs.find(run);
        if (found == m_runs.end()) {
            engine::RunResult unknown;
            unknown.run = run;
            unknown.status = RunStatus::Failed;
            unknown.error = "no such run";
            return unknown;
        }
        active = found->second;
        m_finished.wait(guard, [&] { return active->result.has_value(); });
        m_runs.erase(run);
    }
    active->thread.join();
    return *active->result;
}

std::vector<std::pair<RunId, ThreadId>> ProjectRuns::running() const
{
    const std::lock_guard guard(m_mutex);
    std::vector<std::pair<RunId, ThreadId>> found;
    for (const auto& [id, active] : m_runs)
        if (!active->result)
            found.emplace_back(id, active->request.thread);
    return found;
}

std::string runErrorText(const std::string& type, const std::string& message)
{
    if (const std::string limit = between(message, "Recursion limit of ", " reached without");
        type == "GraphRecursionError" && !limit.empty())
        return "the graph was not at its end when this run reached its recursion limit, " + limit
            + ". Allow more with --recursion-limit N, or with "
              "\"recursion_limit\" in the graph file; or let a branch lead to the end.";
    if (message.starts_with("When there are multiple pending interrupts"))
        return "more than one question waits for an answer. Answer by id: {\"ID\": answer, …}; the ids are "
               "those of \"interrupts\" in the state.";
    if (const std::string channel = between(message, "At key '", "': Can receive only one value per step");
        type == "InvalidUpdateError" && !channel.empty())
        return "channel '" + channel
            + "' was written more than once in one superstep, and takes one value. Give it a \"reducer\" in "
              "the graph's \"state\" (such as \"append\"), or let one node alone write it.";
    return message.substr(0, message.find("\nFor troubleshooting, visit: "));
}

std::string shownNode(const NodeId& node)
{
    const std::string_view handler = engine::kErrorHandlerPrefix;
    return node.value.starts_with(handler) ? node.value.substr(handler.size()) + " (error handler)"
                                           : node.value;
}

std::string shownChannel(const std::string& channel)
{
    const std::string_view branch = "branch:to:";
    const std::string_view join = "join:";
    if (channel.starts_with(branch))
        return "the way to '" + shownNode(NodeId(channel.substr(branch.size()))) + "'";
    const std::size_t target = channel.rfind(':');
    if (!channel.starts_with(join) || target < join.size())
        return channel;
    return "the join of " + channel.substr(join.size(), target - join.size()) + " before '"
        + channel.substr(target + 1) + "'";
}

} // namespace sg::runs
