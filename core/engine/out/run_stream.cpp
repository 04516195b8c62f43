#include "core/engine/out/run_stream.h"

#include "core/checkpoint/serde/langgraph_types.h"

#include <algorithm>

namespace sg::engine {
namespace {

constexpr std::array<const char*, kStreamModes> kModeNames{ "values", "updates", "tasks",   "checkpoints",
                                                            "debug",  "custom",  "messages" };

bool isKey(const std::vector<std::int32_t>& keys, const Write& write)
{
    return write.channel >= 0 && std::ranges::find(keys, write.channel) != keys.end();
}

} // namespace

ValueList plainInterrupts(const ValueList& interrupts)
{
    ValueList out;
    for (const Value& each : interrupts) {
        if (const auto interrupt = checkpoint::asInterrupt(each))
            out.push_back(Value::map({ { "value", interrupt->value }, { "id", interrupt->id } }));
        else
            out.push_back(Value::map({ { "value", each }, { "id", "" } }));
    }
    return out;
}

Value resultOf(const CompiledGraph& graph, const Writes& writes, const std::vector<std::int32_t>& keys)
{
    ValueMap result;
    for (const Write& write : writes) {
        if (!isKey(keys, write))
            continue;
        const Value& key = graph.channel(write.channel).key;
        Value& entry = result.at(key);
        if (entry.isNull()) { // LangGraph takes a null for "nothing yet"
            entry = write.value;
            continue;
        }
        const Value* gathered = entry.isMap() ? entry.find("$writes") : nullptr;
        ValueList list = gathered != nullptr && gathered->isList() ? gathered->asList() : ValueList{ entry };
        list.push_back(write.value);
        entry = Value::map({ { "$writes", Value(std::move(list)) } });
    }
    return Value(std::move(result));
}

RunStream::RunStream(const CompiledGraph& graph, RunContext& run, std::string ns, bool active)
    : m_graph(graph)
    , m_run(run)
    , m_ns(std::move(ns))
    , m_active(active && run.publisher.isHeard())
{
}

void RunStream::emit(StreamMode mode, Value data)
{
    if (!wants(mode))
        return;
    StreamChunk chunk{ kModeNames[static_cast<std::size_t>(mode)], m_ns, std::move(data) };
    if (m_holding)
        m_held.push_back(std::move(chunk));
    else
        m_run.publisher.publish(std::move(chunk));
}

void RunStream::holdLoneTask()
{
    m_holding = m_active && !m_run.options.streamSubgraphs && !m_run.streams(StreamMode::Custom)
        && !m_run.streams(StreamMode::Messages);
}

void RunStream::release()
{
    m_holding = false;
    for (StreamChunk& chunk : m_held)
        m_run.publisher.publish(std::move(chunk));
    m_held.clear();
}

void RunStream::dropHeld()
{
    m_holding = false;
    m_held.clear();
}

void RunStream::emitDetail(StreamMode mode, const Value& data, const char* type, std::int64_t step)
{
    emit(mode, data);
    emit(StreamMode::Debug,
         Value::map({ { "step", Value(step) },
                      { "timestamp", isoTime(m_run.services.clock.now()) },
                      { "type", type },
                      { "payload", data } }));
}

void RunStream::emitCustom(Value data)
{
    emit(StreamMode::Custom, std::move(data));
}

void RunStream::emitMessage(Value message, Value metadata)
{
    emit(StreamMode::Messages, Value::list({ std::move(message), std::move(metadata) }));
}

void RunStream::taskStarts(const Task& task, std::int64_t step)
{
    if (task.node == 0 || !wantsDetail(StreamMode::Tasks))
        return;
    const CompiledNode& node = m_graph.node(task.node);
    ValueMap data{ { "id", task.id },
                   { "name", node.key },
                   { "input", task.input },
                   { "triggers",
                     task.triggered == Triggered::ByNode ? sortedTriggers(m_graph, node)
                                                         : Value::list({ kPushName }) } };
    if (!m_run.options.metadata.empty())
        data.set("metadata", Value(m_run.options.metadata));
    emitDetail(StreamMode::Tasks, Value(std::move(data)), "task", step);
}

void RunStream::taskWrote(const Task& task, const Writes& writes, bool cached,
                          const std::vector<std::int32_t>& outputKeys,
                          const std::function<Value()>& currentValues, std::int64_t step)
{
    if (task.node == 0 || writes.empty())
        return;
    if (writes.front().channel == kInterruptWrite)
        emitInterrupts(writes, currentValues);
    else if (writes.front().channel != kErrorWrite)
        emitUpdates(task, writes, cached, outputKeys);
    if (cached || !wantsDetail(StreamMode::Tasks))
        return;
    Value error;
    ValueList interrupts;
    for (const Write& write : writes) {
        if (write.channel == kErrorWrite && error.isNull())
            error = write.value.isMap() ? Value::map({ { "type", write.value["type"] },
                                                       { "message", write.value["message"] },
                                                       { "repr", write.value["repr"] } })
                                        : write.value;
        if (write.channel == kInterruptWrite && write.value.isList())
            for (Value& each : plainInterrupts(write.value.asList())) {
                each.editMap().set("response_schema", {});
                interrupts.push_back(std::move(each));
            }
    }
    emitDetail(StreamMode::Tasks,
               Value::map({ { "id", task.id },
                            { "name", m_graph.node(task.node).key },
                            { "error", std::move(error) },
                            { "result", resultOf(m_graph, writes, m_graph.stream) },
                            { "interrupts", Value(std::move(interrupts)) } }),
               "task_result", step);
}

void RunStream::emitInterrupts(const Writes& writes, const std::function<Value()>& currentValues)
{
    if (!wants(StreamMode::Updates) && !wants(StreamMode::Values))
        return;
    ValueList interrupts;
    for (const Write& write : writes)
        if (write.channel == kInterruptWrite && write.value.isList())
            for (Value& each : plainInterrupts(write.value.asList()))
                interrupts.push_back(std::move(each));
    const Value list(std::move(interrupts));
    emit(StreamMode::Updates, Value::map({ { kInterruptName, list } }));
    if (!wants(StreamMode::Values))
        return;
    Value values = currentValues();
    values.editMap().set(kInterruptName, list);
    emit(StreamMode::Values, std::move(values));
}

void RunStream::emitUpdates(const Task& task, const Writes& writes, bool cached,
                            const std::vector<std::int32_t>& outputKeys)
{
    if (!wants(StreamMode::Updates))
        return;
    std::vector<std::int32_t> written;
    bool repeated = false;
    for (const Write& write : writes) {
        if (!isKey(outputKeys, write))
            continue;
        repeated = repeated || std::ranges::find(written, write.channel) != written.end();
        written.push_back(write.channel);
    }
    Value update; // null: the task wrote no output channel
    if (!written.empty()) {
        ValueList each;
        ValueMap whole;
        for (const Write& write : writes) {
            if (!isKey(outputKeys, write))
                continue;
            const Value& key = m_graph.channel(write.channel).key;
            if (repeated)
                each.push_back(Value::map({ { key, write.value } }));
            else
                whole.set(key, write.value);
        }
        update = repeated ? Value(std::move(each)) : Value(std::move(whole));
    }
    ValueMap data{ { m_graph.node(task.node).key, std::move(update) } };
    if (cached)
        data.set("__metadata__", Value::map({ { "cached", true } }));
    emit(StreamMode::Updates, Value(std::move(data)));
}

} // namespace sg::engine
