#include "core/engine/reads/state_reader.h"

#include "core/checkpoint/metadata_filter.h"
#include "core/engine/out/checkpoint_chunk.h"
#include "core/engine/out/run_stream.h"
#include "core/engine/state/delta_history.h"
#include "core/engine/state/migrate.h"
#include "core/engine/steps/task_ids.h"

#include <algorithm>

namespace sg::engine {
namespace {

Failure storeError(const Error& error)
{
    return { error.code == Errc::InvalidArgument ? "ValueError" : "CheckpointError", error.message };
}

std::vector<std::string> segments(const std::string& plain)
{
    std::vector<std::string> out;
    std::size_t from = 0;
    while (from <= plain.size()) {
        const std::size_t bar = std::min(plain.find('|', from), plain.size());
        out.push_back(plain.substr(from, bar - from));
        from = bar + 1;
    }
    return out;
}

ValueList interruptsOf(const TaskStatus* status, bool live)
{
    if (status == nullptr || (live && status->finished()))
        return {};
    return plainInterrupts(status->interrupts);
}

} // namespace

AddressedGraph addressedGraph(const CompiledGraph& root, const std::string& ns)
{
    AddressedGraph found{ &root, ns };
    if (ns.empty())
        return found;
    for (const std::string& segment : segments(plainNamespace(ns))) {
        const auto node = found.graph->findNode(segment);
        const CompiledGraph* nested = node ? found.graph->node(*node).subgraph.get() : nullptr;
        if (nested == nullptr || nested->checkpointer == graph::Checkpointer::None)
            return { nullptr, ns };
        found.graph = nested;
    }
    if (found.graph->checkpointer == graph::Checkpointer::Own)
        found.ns = ownNamespace(ns);
    return found;
}

Outcome<OpenedState> openState(const CompiledGraph& graph, const checkpoint::CheckpointRecord& record,
                               const Services& services)
{
    const std::int64_t step = record.metadata.step + 1;
    OpenedState opened{
        GraphState(graph, services.random), {}, readPending(graph, record.writes), { step, step + 2 }
    };
    opened.state.load(record.checkpoint);
    if (auto error = replayDeltaChannels(opened.state, record, *services.store))
        return *std::move(error);
    opened.tasks = planTasks(opened.state, opened.limits, nullptr);
    const TaskIds ids(record.ref.id, record.checkpoint.version, record.ref.ns, step);
    for (Task& task : opened.tasks)
        task.id = ids.of(graph, task);
    return opened;
}

std::optional<Failure> applyNullWrites(OpenedState& opened, const VersionSource* versions,
                                       ChannelSet& updated)
{
    Writes writes;
    for (const Pending& each : opened.pending)
        if (isNull(each))
            writes.push_back(each.write);
    if (writes.empty())
        return std::nullopt;
    AppliedTask task{ {}, -1, Triggered::No, &writes };
    return applyWrites(opened.state, { &task, 1 }, versions, updated);
}

void giveFinishedWrites(OpenedState& opened)
{
    const TaskStatuses statuses(opened.pending);
    for (Task& task : opened.tasks)
        if (const TaskStatus* status = statuses.find(task.id))
            task.writes = status->output;
}

Outcome<StateSnapshot> StateReader::snapshot(const CompiledGraph& graph,
                                             const checkpoint::CheckpointRecord& stored, bool subgraphs,
                                             bool live) const
{
    std::optional<checkpoint::CheckpointRecord> migrated;
    if (stored.checkpoint.version < checkpoint::Checkpoint().version) {
        migrated = stored;
        migrateCheckpoint(migrated->checkpoint, graph);
    }
    const checkpoint::CheckpointRecord& record = migrated ? *migrated : stored;
    auto open = openState(graph, record, m_services);
    if (const Failure* error = errorOf(open))
        return *error;
    auto& opened = std::get<OpenedState>(open);
    ChannelSet updated(graph.channels.size());
    StateSnapshot out;
    const TaskStatuses statuses(opened.pending);
    for (const Task& task : opened.tasks) {
        const CompiledNode& node = graph.node(task.node);
        const TaskStatus* status = statuses.find(task.id);
        StateTask entry{ .id = TaskId(task.id),
                         .name = node.name,
                         .path = task.path.value(graph),
                         .interrupts = interruptsOf(status, live) };
        if (status != nullptr && status->error)
            entry.error = storedError(*status->error);
        if (status != nullptr && status->finished())
            entry.result = resultOf(graph, status->output, graph.stream);
        if (hasNestedState(graph, task)) {
            entry.stateNs = taskNamespace(record.ref.ns, node.name.value, task.id);
            if (subgraphs) {
                auto nested = latest(*node.subgraph, record.ref.thread, *entry.stateNs);
                if (const Failure* error = errorOf(nested))
                    return *error;
                entry.state = std::make_shared<StateSnapshot>(std::get<StateSnapshot>(std::move(nested)));
            }
        }
        out.interrupts.insert(out.interrupts.end(), entry.interrupts.begin(), entry.interrupts.end());
        out.tasks.push_back(std::move(entry));
    }
    if (auto error = applyNullWrites(opened, nullptr, updated))
        return *std::move(error);
    if (live)
        giveFinishedWrites(opened);
    std::vector<AppliedTask> finished;
    for (Task& task : opened.tasks) {
        if (task.writes.empty())
            out.next.push_back(graph.node(task.node).name);
        else
            finished.push_back({ task.path, task.node, task.triggered, &task.writes });
    }
    if (!finished.empty())
        if (auto error = applyWrites(opened.state, finished, nullptr, updated))
            return *std::move(error);
    out.values = opened.state.values(graph.stream);
    out.config = configOf(record.ref.thread, record.ref.ns, record.ref.id, record.metadata);
    out.metadata = metadataValue(record.metadata);
    out.createdAt = record.checkpoint.timestamp;
    if (record.parent)
        out.parent = configOf(record.ref.thread, record.ref.ns, *record.parent, record.metadata);
    return out;
}

Outcome<StateSnapshot> StateReader::latest(const CompiledGraph& graph, const ThreadId& thread,
                                           const std::string& ns) const
{
    const std::string stored = graph.checkpointer == graph::Checkpointer::Own ? ownNamespace(ns) : ns;
    auto record = m_services.store->get(thread, stored, std::nullopt);
    if (!record)
        return storeError(record.error());
    if (!*record) {
        StateSnapshot nothing;
        nothing.config = { thread, stored, std::nullopt, {} };
        return nothing;
    }
    return snapshot(graph, **record, true, true);
}

Outcome<StateSnapshot> StateReader::state(const StateAddress& at, bool subgraphs) const
{
    if (m_services.store == nullptr)
        return Failure{ "ValueError", "No checkpointer set" };
    AddressedGraph graph = addressedGraph(m_graph, at.ns);
    if (graph.graph == nullptr)
        graph.graph = &m_graph; // as LangGraph does: the state is read with this graph's channels
    auto record = m_services.store->get(at.thread, graph.ns, at.checkpoint);
    if (!record)
        return storeError(record.error());
    if (!*record) {
        StateSnapshot nothing;
        nothing.config = { at.thread, graph.ns, at.checkpoint, {} };
        return nothing;
    }
    return snapshot(*graph.graph, **record, subgraphs, !at.checkpoint);
}

std::optional<Failure> StateReader::history(const HistoryQuery& query,
                                            const std::function<bool(const StateSnapshot&)>& visit) const
{
    if (m_services.store == nullptr)
        return Failure{ "ValueError", "No checkpointer set" };
    AddressedGraph graph = addressedGraph(m_graph, query.at.ns);
    if (graph.graph == nullptr)
        graph.graph = &m_graph;
    checkpoint::CheckpointQuery wanted;
    wanted.thread = query.at.thread;
    wanted.ns = graph.ns;
    wanted.id = query.at.checkpoint;
    wanted.before = query.before;
    wanted.limit = query.limit;
    wanted.metadataFilter = query.metadataFilter;
    std::optional<Failure> failed;
    auto listed = m_services.store->list(wanted, [&](const checkpoint::CheckpointRecord& record) {
        auto one = snapshot(*graph.graph, record, false, false);
        if (const Failure* error = errorOf(one)) {
            failed = *error;
            return false;
        }
        return visit(std::get<StateSnapshot>(one));
    });
    if (!listed)
        return storeError(listed.error());
    return failed;
}

} // namespace sg::engine
