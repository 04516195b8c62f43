#include "core/engine/loop/loop_output.h"

#include "core/engine/out/checkpoint_chunk.h"

#include <algorithm>

namespace sg::engine {
namespace {

std::vector<std::int32_t> outputKeysOf(const LoopState& loop)
{
    const RunOptions& options = loop.run.options;
    if (loop.place.nested)
        return loop.graph.output;
    std::vector<std::int32_t> keys;
    for (const std::string& name : options.outputKeys)
        if (const auto channel = loop.graph.findChannel(name))
            keys.push_back(*channel);
    if (!options.outputKeys.empty())
        return keys;
    return options.streamModes.empty() ? loop.graph.output : loop.graph.stream;
}

} // namespace

LoopOutput::LoopOutput(LoopState& loop)
    : m_loop(loop)
    , m_stream(loop.graph, loop.run, loop.place.ns, loop.place.streams)
    , m_keys(outputKeysOf(loop))
{
}

Value LoopOutput::result() const
{
    if (!m_hasLatest)
        return {};
    return m_latest ? *m_latest : m_loop.channels.values(m_keys);
}

void LoopOutput::noteValues()
{
    const RunOptions& options = m_loop.run.options;
    m_hasLatest = true;
    if (!m_loop.graph.stickyOutput || !options.outputKeys.empty() || !options.streamModes.empty())
        m_latest = m_loop.channels.values(m_keys);
}

void LoopOutput::emitValues()
{
    noteValues();
    if (m_stream.wants(StreamMode::Values))
        m_stream.emit(StreamMode::Values, result());
}

// A fold that failed has left traces in the channels, so the result is read from the store.
void LoopOutput::showStored()
{
    if (!m_hasLatest || m_latest)
        return;
    const std::optional<GraphState> stored = m_loop.storedChannels();
    m_latest = stored ? stored->values(m_keys) : Value();
}

bool LoopOutput::isWritten(const Writes& writes) const
{
    return std::ranges::any_of(writes, [this](const Write& write) {
        return write.channel >= 0 && std::ranges::find(m_keys, write.channel) != m_keys.end();
    });
}

bool LoopOutput::isChanged(const ChannelSet& updated) const
{
    return std::ranges::any_of(m_keys, [&updated](std::int32_t key) { return updated.contains(key); });
}

void LoopOutput::taskWrote(const Task& task, const Writes& writes, bool cached)
{
    m_stream.taskWrote(
        task, writes, cached, m_keys, [this] { return m_loop.channels.values(m_keys); }, m_loop.limits.step);
}

void LoopOutput::stepPlanned()
{
    if (m_loop.place.stores && m_stream.wantsDetail(StreamMode::Checkpoints)) {
        m_loop.tasks.each([this](Task& task) { m_loop.taskId(task); });
        const CheckpointView view{ m_loop.graph,
                                   m_loop.channels,
                                   m_loop.run.options.thread,
                                   m_loop.place.ns,
                                   m_loop.checkpoint(),
                                   m_loop.head.parent,
                                   m_loop.head.metadata,
                                   m_loop.tasks.list,
                                   m_loop.tasks.pending,
                                   m_keys };
        m_stream.emitDetail(StreamMode::Checkpoints, checkpointChunk(view), "checkpoint",
                            m_loop.limits.step - 1);
    }
    announceCheckpoint();
}

void LoopOutput::stepEnds()
{
    if (!m_loop.run.publisher.isHeard() || !m_loop.place.stores)
        return;
    m_loop.tasks.each(
        [this](const Task& task) { m_announceAfter.push_back(m_loop.graph.node(task.node).name); });
}

void LoopOutput::checkpointStored()
{
    m_unannounced = m_loop.run.publisher.isHeard();
    m_announceSource = m_loop.head.metadata.source;
}

void LoopOutput::announceCheckpoint()
{
    if (!std::exchange(m_unannounced, false))
        return;
    std::vector<NodeId> next;
    for (const Task& task : m_loop.tasks.list)
        next.push_back(m_loop.graph.node(task.node).name);
    m_loop.run.publisher.publish(CheckpointSaved{
        m_loop.checkpoint(), m_loop.place.ns, m_loop.head.parent.value_or(CheckpointId()), m_announceSource,
        m_loop.limits.step - 1, std::move(m_announceAfter), std::move(next) });
    m_announceAfter.clear();
}

} // namespace sg::engine
