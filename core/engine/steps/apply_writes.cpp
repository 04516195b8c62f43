#include "core/engine/steps/apply_writes.h"

#include <algorithm>

namespace sg::engine {
namespace {

// Gathers the values that tasks wrote, by channel, with channels in the order of their first writes. A
// channel's only write stays where it is; several are moved together.
class Gathered {
public:
    struct OfChannel {
        std::int32_t channel;
        std::span<Value> values;
    };

    void take(std::span<AppliedTask> tasks, std::size_t channels)
    {
        if (m_places.size() < channels) {
            m_places.resize(channels, 0);
            m_moved.resize(channels);
        }
        for (const AppliedTask& task : tasks)
            for (Write& write : *task.writes)
                if (write.channel >= 0)
                    add(write);
    }
    [[nodiscard]] const std::vector<OfChannel>& channels() const { return m_channels; }
    // Keeps the memory for the next superstep.
    void clear()
    {
        for (const OfChannel& each : m_channels) {
            const auto channel = static_cast<std::size_t>(each.channel);
            m_places[channel] = 0;
            m_moved[channel].clear();
        }
        m_channels.clear();
    }

private:
    void add(Write& write)
    {
        const auto channel = static_cast<std::size_t>(write.channel);
        if (m_places[channel] == 0) {
            m_channels.push_back({ write.channel, { &write.value, 1 } });
            m_places[channel] = m_channels.size();
            return;
        }
        std::vector<Value>& moved = m_moved[channel];
        std::span<Value>& values = m_channels[m_places[channel] - 1].values;
        if (moved.empty())
            moved.push_back(std::move(values.front()));
        moved.push_back(std::move(write.value));
        values = moved;
    }

    std::vector<OfChannel> m_channels;
    std::vector<std::size_t> m_places; // by channel: its place in m_channels + 1; 0: not written
    std::vector<std::vector<Value>> m_moved; // by channel
};

// A Fold does the work of one call.
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

    std::optional<Failure> run(std::span<AppliedTask> tasks)
    {
        const auto before = [this](const AppliedTask& a, const AppliedTask& b) {
            return a.path.before(b.path, m_graph);
        };
        if (!std::ranges::is_sorted(tasks, before)) // planned tasks mostly are
            std::ranges::stable_sort(tasks, before);
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

    std::optional<Failure> applyAll(std::span<AppliedTask> tasks)
    {
        static thread_local Gathered gathered;
        gathered.take(tasks, m_graph.channels.size());
        std::optional<Failure> failure;
        for (const auto& [channel, values] : gathered.channels()) {
            auto changed = m_state.channel(channel).update(values);
            if (const Failure* error = errorOf(changed)) {
                failure = *error;
                break;
            }
            if (std::get<bool>(changed))
                bump(channel, true);
        }
        gathered.clear();
        return failure;
    }

    std::optional<Failure> passStep()
    {
        for (const std::int32_t index : m_graph.clearing) {
            Channel& channel = m_state.channel(index);
            if (!channel.available() || m_updated.contains(index))
                continue;
            auto changed = channel.update({});
            if (const Failure* error = errorOf(changed))
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

std::optional<Failure> applyWrites(GraphState& state, std::span<AppliedTask> tasks,
                                   const VersionSource* versions, ChannelSet& updated)
{
    return Fold(state, versions, updated).run(tasks);
}

} // namespace sg::engine
