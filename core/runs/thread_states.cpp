#include "core/runs/thread_states.h"

#include "core/base/json.h"
#include "core/checkpoint/thread_lock.h"
#include "core/engine/compile/compiled_graph.h"
#include "core/engine/names.h"
#include "core/history/inert_state.h"
#include "core/rewind/snapshot_storage.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sg::runs {
namespace {

std::string nodeList(const engine::CompiledGraph& graph)
{
    std::string text;
    for (const engine::CompiledNode& node : graph.nodes)
        if (!node.isErrorHandler)
            text += (text.empty() ? "" : ", ") + node.name.value;
    return text;
}

Error refused(const engine::Failure& error, const engine::CompiledGraph& graph)
{
    std::string message = error.type + ": " + error.message;
    if (error.message.find("specify as_node") != std::string::npos)
        message += ". Several nodes may have written last: say as which the values count (--as-node), one of "
            + nodeList(graph);
    else if (error.message.starts_with("Node ") && error.message.ends_with(" does not exist"))
        message += ". The graph has " + nodeList(graph);
    return { error.type == "CheckpointError" ? Errc::Io : Errc::InvalidArgument, std::move(message) };
}

Error nothingStored(const ThreadId& thread, const std::string& ns)
{
    if (!ns.empty())
        return { Errc::NotFound,
                 "thread '" + thread.value + "' has no checkpoints in namespace '" + ns
                     + "'. The tasks of its state name those of its subgraphs: sandglass state --thread "
                     + thread.value };
    return { Errc::NotFound,
             "thread '" + thread.value + "' has no checkpoints. Start it with: sandglass run GRAPH --thread "
                 + thread.value
                 + ", or begin it with these values as \"__start__\" (--as-node __start__). See all threads "
                   "with: sandglass threads" };
}

bool begins(const std::vector<std::vector<engine::StateUpdate>>& steps)
{
    const auto& asNode = steps.front().front().asNode;
    return asNode == "__start__" || asNode == "__input__";
}

// A snapshot that cannot be restored as chosen is refused here rather than when nodes run.
Result<void> checkChoice(checkpoint::SnapshotLog& log, const SnapshotId& id, rewind::SandboxChoice choice)
{
    if (id.empty() || (choice != rewind::SandboxChoice::Exact && choice != rewind::SandboxChoice::Stored))
        return {};
    const auto snapshot = rewind::loadSnapshot(log, id);
    if (!snapshot)
        return snapshot.error();
    if (choice == rewind::SandboxChoice::Exact && (!*snapshot || !(*snapshot)->live))
        return Error{ Errc::Conflict,
                      "the sandbox of this checkpoint was not kept exactly"
                          + (*snapshot ? ": " + describe((*snapshot)->obstacles) : std::string())
                          + ". Unless it must be exact, it is restored as far as it was stored" };
    if (choice == rewind::SandboxChoice::Stored
        && (!*snapshot || (!(*snapshot)->names.isMap() && !(*snapshot)->live)))
        return Error{ Errc::Conflict,
                      "nothing of this checkpoint's sandbox was written out, and no copy of its interpreter "
                      "was made. Go on with what was kept of it (restore), with an empty sandbox (fresh), or "
                      "with the one that is there now (keep)" };
    return {};
}

// Binds the base's sandbox snapshots to the new checkpoint and to those between it and the base;
// `withFinished` includes what finished tasks did there, for changes that use their writes. The first of
// these checkpoints follows the base, or is its copy with the same parent.
Result<void> takeSandboxAlong(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& base,
                              checkpoint::CheckpointRef made, bool withFinished, rewind::SandboxChoice choice)
{
    checkpoint::SnapshotLog* log = store.snapshotLog();
    if (log == nullptr || choice == rewind::SandboxChoice::Keep)
        return {};
    auto kept = rewind::snapshotsAt(*log, base.ref, withFinished);
    if (!kept)
        return std::move(kept.error());
    for (rewind::PartSnapshot& each : *kept) {
        if (auto possible = checkChoice(*log, each.snapshot, choice); !possible)
            return possible;
        if (choice == rewind::SandboxChoice::Fresh)
            each.snapshot = {};
    }
    while (!kept->empty() && made != base.ref) {
        for (const rewind::PartSnapshot& each : *kept)
            if (auto bound = log->bind({ made, false, each.snapshot, each.part.text() }); !bound)
                return bound;
        auto record = store.get(made.thread, made.ns, made.id);
        if (!record)
            return std::move(record.error());
        if (!*record || !(**record).parent || (**record).parent == base.parent)
            return {};
        made.id = *(**record).parent;
    }
    return {};
}

bool isResult(const checkpoint::PendingWrite& write)
{
    const std::string& channel = write.channel;
    return channel != engine::kErrorName && channel != engine::kErrorSourceName
        && channel != engine::kInterruptName && channel != engine::kResumeName;
}

Result<std::vector<engine::StateTask>> tasksAt(engine::Engine& engine, const checkpoint::CheckpointRef& ref)
{
    auto read = engine.getState({ ref.thread, ref.ns, ref.id });
    if (const auto* error = std::get_if<engine::Failure>(&read))
        return Error{ Errc::InvalidArgument, error->type + ": " + error->message };
    return std::move(std::get<engine::StateSnapshot>(read).tasks);
}

// Copies what tasks of `base`, except `nodes`, wrote to its copy, where they have equal paths and other ids.
Result<void> reuseOthers(engine::Engine& engine, checkpoint::CheckpointStore& store,
                         const checkpoint::CheckpointRecord& base, const checkpoint::CheckpointRef& copy,
                         const std::vector<NodeId>& nodes)
{
    const auto before = tasksAt(engine, base.ref);
    const auto after = tasksAt(engine, copy);
    if (!before || !after)
        return before ? after.error() : before.error();
    const auto placeOf = [](const engine::StateTask& task) {
        return std::pair(task.name.value, toJson(task.path));
    };
    std::map<decltype(placeOf(before->front())), std::vector<checkpoint::PendingWrite>> results;
    {
        std::map<TaskId, std::vector<checkpoint::PendingWrite>> byTask;
        for (const checkpoint::PendingWrite& write : base.writes)
            if (isResult(write))
                byTask[write.taskId].push_back(write);
        for (const engine::StateTask& task : *before)
            if (const auto found = byTask.find(task.id); found != byTask.end())
                results.emplace(placeOf(task), std::move(found->second));
    }
    std::set<NodeId> missing(nodes.begin(), nodes.end());
    std::string known;
    for (const engine::StateTask& task : *after) {
        if (known.size() < 1000) // the error's text stays short
            known += (known.empty() ? "" : ", ") + task.name.value;
        missing.erase(task.name);
        const auto same = results.find(placeOf(task));
        if (std::ranges::find(nodes, task.name) != nodes.end() || same == results.end())
            continue;
        std::vector<checkpoint::PendingWrite> reused = std::move(same->second);
        for (checkpoint::PendingWrite& write : reused)
            write.taskId = task.id;
        if (auto stored = store.putWrites(copy, reused); !stored)
            return stored;
    }
    if (!missing.empty())
        return Error{ Errc::InvalidArgument,
                      "node '" + missing.begin()->value
                          + "' does not run from this checkpoint. What runs there: "
                          + (known.empty() ? "nothing" : known) };
    return {};
}

bool hasFailedBranch(const engine::StateTask& task)
{
    if (!task.error.isNull() && task.result)
        return true;
    return task.state && std::ranges::any_of(task.state->tasks, hasFailedBranch);
}

std::vector<std::string> unknownKeys(const engine::CompiledGraph& graph,
                                     const std::vector<std::vector<engine::StateUpdate>>& steps)
{
    std::vector<std::string> unknown;
    for (const auto& updates : steps)
        for (const engine::StateUpdate& update : updates)
            if (update.values.isMap())
                for (const auto& [key, value] : update.values.asMap()) {
                    const auto channel = key.isString() ? graph.findChannel(key.asString()) : std::nullopt;
                    if (!channel || !graph.channel(*channel).isState)
                        unknown.push_back(key.isString() ? key.asString() : std::string("(no text)"));
                }
    return unknown;
}

} // namespace

Result<engine::StateSnapshot> ThreadStates::state(const engine::StateAddress& at)
{
    auto compiled = m_world.compile();
    if (!compiled)
        return std::move(compiled.error());
    engine::Engine engine(*compiled->program,
                          engine::Services{ &m_world.store, m_world.clock, m_world.random, nullptr });
    auto snapshot = engine.getState(at);
    if (const auto* error = std::get_if<engine::Failure>(&snapshot))
        return Error{ Errc::InvalidArgument, error->type + ": " + error->message };
    return std::get<engine::StateSnapshot>(std::move(snapshot));
}

Result<StateChange> ThreadStates::update(const engine::StateAddress& at, const engine::StateUpdate& update)
{
    return change(at, { { update } }, rewind::SandboxChoice::Restore);
}

Result<StateChange> ThreadStates::fork(const engine::StateAddress& at, const engine::StateUpdate& edit,
                                       rewind::SandboxChoice sandbox)
{
    std::vector<std::vector<engine::StateUpdate>> steps{ { { Value(), std::string(engine::kCopyName) } } };
    if (!edit.values.isNull() || edit.asNode)
        steps.push_back({ edit });
    return change(at, steps, sandbox);
}

Result<StateChange> ThreadStates::forkToRerun(const engine::StateAddress& at,
                                              const std::vector<NodeId>& nodes, rewind::SandboxChoice sandbox)
{
    return change(at, { { { Value(), std::string(engine::kCopyName) } } }, sandbox, nodes);
}

Result<std::vector<NodeId>> ThreadStates::failedBranches(const ThreadId& thread)
{
    auto compiled = m_world.compile();
    if (!compiled)
        return std::move(compiled.error());
    engine::Engine engine(*compiled->program,
                          engine::Services{ &m_world.store, m_world.clock, m_world.random, nullptr });
    auto read = engine.getState({ thread, "", {} }, true);
    if (const auto* error = std::get_if<engine::Failure>(&read))
        return Error{ Errc::InvalidArgument, error->type + ": " + error->message };
    std::vector<NodeId> failed;
    for (const engine::StateTask& task : std::get<engine::StateSnapshot>(read).tasks)
        if (hasFailedBranch(task) && std::ranges::find(failed, task.name) == failed.end())
            failed.push_back(task.name);
    return failed;
}

Result<void> ThreadStates::remove(const ThreadId& thread)
{
    auto lock = checkpoint::ThreadLock::take(m_world.store, m_world.database, thread);
    if (!lock)
        return std::move(lock.error());
    return m_world.store.deleteThread(thread);
}

Result<StateChange> ThreadStates::change(const engine::StateAddress& at,
                                         const std::vector<std::vector<engine::StateUpdate>>& steps,
                                         rewind::SandboxChoice sandbox, const std::vector<NodeId>& rerun)
{
    auto compiled = m_world.compile();
    if (!compiled)
        return std::move(compiled.error());
    const engine::CompiledGraph& graph = compiled->program->graph();
    auto lock = checkpoint::ThreadLock::take(m_world.store, m_world.database, at.thread);
    if (!lock)
        return std::move(lock.error());
    auto base = m_world.store.get(at.thread, at.ns, at.checkpoint);
    if (!base)
        return std::move(base.error());
    if (!*base && at.checkpoint)
        return Error{ Errc::NotFound,
                      "thread '" + at.thread.value + "' has no checkpoint " + at.checkpoint->value
                          + ". List them with: sandglass history --thread " + at.thread.value };
    if (!*base && !begins(steps))
        return nothingStored(at.thread, at.ns);
    engine::Engine engine(*compiled->program,
                          engine::Services{ &m_world.store, m_world.clock, m_world.random, nullptr });
    engine::SnapshotConfig made;
    auto stored = m_world.store.together([&]() -> Result<void> {
        auto done = engine.bulkUpdateState(at, steps);
        if (const auto* error = std::get_if<engine::Failure>(&done))
            return refused(*error, graph);
        made = std::get<engine::SnapshotConfig>(std::move(done));
        if (!*base || !made.checkpoint)
            return {};
        const checkpoint::CheckpointRef madeRef{ at.thread, made.ns, *made.checkpoint };
        if (!rerun.empty())
            if (auto reused = reuseOthers(engine, m_world.store, **base, madeRef, rerun); !reused)
                return reused;
        return takeSandboxAlong(m_world.store, **base, madeRef, !at.checkpoint && rerun.empty(), sandbox);
    });
    if (!stored)
        return std::move(stored.error());
    auto record = m_world.store.get(at.thread, made.ns, made.checkpoint);
    if (!record)
        return std::move(record.error());
    if (!*record)
        return Error{ Errc::Io,
                      "the new checkpoint of thread '" + at.thread.value + "' cannot be read back" };
    StateChange change;
    change.thread = at.thread;
    change.ns = made.ns;
    change.checkpoint = (**record).ref.id;
    change.parent = (**record).parent;
    change.source = (**record).metadata.source;
    change.step = (**record).metadata.step;
    change.next = history::pendingNodes((**record).checkpoint);
    if (at.ns.empty())
        change.ignored = unknownKeys(graph, steps);
    return change;
}

} // namespace sg::runs
