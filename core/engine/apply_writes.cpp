#include "core/engine/apply_writes.h"

#include <algorithm>

namespace sg::engine {
namespace {

// One call's work; the buffers are reused from superstep to superstep.
class Fold {
public:
    Fold(GraphState& state, const VersionSource* versions, ChannelSet& updated)
        : m_state(state)
        , m_graph(state.graph())
        , m_counts(versions != nullptr)
        , m_updated(updated)
    {
        if (m_counts)
            m_next = versions->after(state.newestVersion());
    }

    std::optional<EngineError> run(std::span<AppliedTask> tasks)
    {
        if (tasks.size() > 1) // sorting takes memory even where nothing is to be sorted
            std::ranges::stable_sort(tasks, [this](const AppliedTask& a, const AppliedTask& b) {
                return a.path.before(b.path, m_graph);
            });
        const bool stepPasses = std::ranges::any_of(
            tasks, [](const AppliedTask& task) { return task.triggered != Triggered::No; });
        for (const AppliedTask& task : tasks)
            markSeen(task);
        for (const AppliedTask& task : tasks)
            if (task.triggered == Triggered::ByNode)
                for (const std::int32_t trigger : m_graph.node(task.node).triggers)
                    if (m_state.channel(trigger).consume())
                        bump(trigger, false);
        if (auto error = applyAll(tasks))
            return error;
        if (!stepPasses)
            return std::nullopt;
        if (auto error = passStep())
            return error;
        if (std::ranges::none_of(m_updated.items(), [this](std::int32_t channel) {
                return !m_graph.channel(channel).triggers.empty();
            }))
            for (const std::int32_t channel : m_graph.finishing)
                if (m_state.channel(channel).finish())
                    bump(channel, true);
        return std::nullopt;
    }

private:
    void bump(std::int32_t channel, bool counts)
    {
        if (!m_counts)
            return;
        m_state.setVersion(channel, m_next);
        // Channels without a value trigger nothing, so they do not count as updated.
        if (counts && m_state.channel(channel).available())
            m_updated.add(channel);
    }

    void markSeen(const AppliedTask& task)
    {
        if (task.node < 0) {
            m_state.markInputSeen();
            return;
        }
        SeenVersions& seen = m_state.seen(task.node);
        seen.present = true;
        if (task.triggered != Triggered::ByNode)
            return;
        const auto& triggers = m_graph.node(task.node).triggers;
        for (std::size_t i = 0; i < triggers.size(); ++i)
            if (m_state.version(triggers[i]).exists())
                seen.byTrigger[i] = m_state.version(triggers[i]);
    }

    std::optional<EngineError> applyAll(std::span<AppliedTask> tasks)
    {
        static thread_local std::vector<std::vector<Value>> byChannel;
        static thread_local std::vector<std::int32_t> touched;
        if (byChannel.size() < m_graph.channels.size())
            byChannel.resize(m_graph.channels.size());
        touched.clear();
        for (const AppliedTask& task : tasks)
            for (Write& write : *task.writes) {
                if (write.channel < 0)
                    continue;
                auto& values = byChannel[static_cast<std::size_t>(write.channel)];
                if (values.empty())
                    touched.push_back(write.channel);
                values.push_back(std::move(write.value));
            }
        std::optional<EngineError> failure;
        for (const std::int32_t channel : touched) {
            auto& values = byChannel[static_cast<std::size_t>(channel)];
            if (!failure) {
                auto changed = m_state.channel(channel).update(values);
                if (const EngineError* error = errorOf(changed))
                    failure = *error;
                else if (std::get<bool>(changed))
                    bump(channel, true);
            }
            values.clear();
        }
        return failure;
    }

    std::optional<EngineError> passStep()
    {
        for (const std::int32_t index : m_graph.clearing) {
            Channel& channel = m_state.channel(index);
            if (!channel.available() || m_updated.contains(index))
                continue;
            auto changed = channel.update({});
            if (const EngineError* error = errorOf(changed))
                return *error;
            if (std::get<bool>(changed))
                bump(index, true);
        }
        return std::nullopt;
    }

    GraphState& m_state;
    const CompiledGraph& m_graph;
    const bool m_counts;
    Version m_next;
    ChannelSet& m_updated;
};

} // namespace

std::optional<EngineError> applyWrites(GraphState& state, std::span<AppliedTask> tasks,
                                       const VersionSource* versions, ChannelSet& updated)
{
    return Fold(state, versions, updated).run(tasks);
}

} // namespace sg::engine
