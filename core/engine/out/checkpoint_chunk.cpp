#include "core/engine/out/checkpoint_chunk.h"

#include "core/engine/errors/python_text.h"
#include "core/engine/out/run_stream.h"
#include "core/engine/steps/task_ids.h"

namespace sg::engine {
namespace {

Value taskEntry(const CheckpointView& view, const Task& task, const TaskStatus* status)
{
    const CompiledNode& node = view.graph.node(task.node);
    ValueMap entry{ { "id", task.id }, { "name", node.key } };
    const Value error = status != nullptr && status->error ? storedError(*status->error) : Value();
    const Value result = status != nullptr && status->finished()
        ? resultOf(view.graph, status->output, view.outputKeys)
        : Value();
    if (pythonTruth(error)) {
        entry.set("error", error);
    } else {
        if (pythonTruth(result))
            entry.set("result", result);
        ValueList interrupts;
        if (status != nullptr)
            for (Value& each : plainInterrupts(status->interrupts)) {
                each.editMap().set("response_schema", {});
                interrupts.push_back(std::move(each));
            }
        entry.set("interrupts", Value(std::move(interrupts)));
    }
    Value state;
    if (hasNestedState(view.graph, task))
        state = Value::map(
            { { "configurable",
                Value::map({ { "thread_id", view.thread.value },
                             { "checkpoint_ns", taskNamespace(view.ns, node.name.value, task.id) } }) } });
    entry.set("state", std::move(state));
    return Value(std::move(entry));
}

} // namespace

bool hasNestedState(const CompiledGraph& graph, const Task& task)
{
    const auto& subgraph = graph.node(task.node).subgraph;
    return subgraph && subgraph->checkpointer != graph::Checkpointer::None;
}

SnapshotConfig configOf(const ThreadId& thread, const std::string& ns, const CheckpointId& id,
                        const checkpoint::CheckpointMetadata& metadata)
{
    SnapshotConfig config{ thread, ns, id, {} };
    if (!metadata.parents.empty()) {
        config.checkpointMap = metadata.parents;
        config.checkpointMap.set(Value(ns), Value(id.value));
    }
    return config;
}

Value configValue(const SnapshotConfig& config)
{
    ValueMap configurable{ { "thread_id", config.thread.value }, { "checkpoint_ns", config.ns } };
    if (config.checkpoint)
        configurable.set("checkpoint_id", Value(config.checkpoint->value));
    if (!config.checkpointMap.empty())
        configurable.set("checkpoint_map", Value(config.checkpointMap));
    return Value::map({ { "configurable", Value(std::move(configurable)) } });
}

Value metadataValue(const checkpoint::CheckpointMetadata& metadata)
{
    ValueMap out;
    if (!metadata.source.empty())
        out.set("source", Value(metadata.source.text()));
    out.set("step", Value(metadata.step));
    out.set("parents", Value(metadata.parents));
    for (const auto& [key, value] : metadata.extra)
        out.set(key, value);
    return Value(std::move(out));
}

Value checkpointChunk(const CheckpointView& view)
{
    const TaskStatuses statuses(view.pending);
    ValueList next;
    ValueList tasks;
    for (const Task& task : view.tasks) {
        next.push_back(view.graph.node(task.node).key);
        tasks.push_back(taskEntry(view, task, statuses.find(task.id)));
    }
    return Value::map(
        { { "config", configValue(configOf(view.thread, view.ns, view.id, view.metadata)) },
          { "parent_config",
            view.parent ? configValue(configOf(view.thread, view.ns, *view.parent, view.metadata))
                        : Value() },
          { "values", view.state.values(view.graph.stream) },
          { "metadata", metadataValue(view.metadata) },
          { "next", Value(std::move(next)) },
          { "tasks", Value(std::move(tasks)) } });
}

} // namespace sg::engine
