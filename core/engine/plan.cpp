#include "core/engine/plan.h"

#include "core/checkpoint/serde/langgraph_types.h"

#include <algorithm>

namespace sg::engine {
namespace {

bool isTriggered(const GraphState& state, std::int32_t index)
{
    const CompiledNode& node = state.graph().node(index);
    const SeenVersions& seen = state.seen(index);
    for (std::size_t i = 0; i < node.triggers.size(); ++i) {
        const std::int32_t channel = node.triggers[i];
        if (!state.channel(channel).available())
            continue;
        if (!seen.present || state.version(channel).number > seen.byTrigger[i].number)
            return true;
    }
    return false;
}

class Planner {
public:
    Planner(const GraphState& state, const StepLimits& limits)
        : m_state(state)
        , m_graph(state.graph())
        , m_limits(limits)
    {
    }

    std::vector<Task> run(const ChannelSet* updated)
    {
        addSends();
        if (updated != nullptr && !updated->empty()) {
            for (const std::int32_t node : triggeredBy(*updated))
                addNode(node);
        } else if (m_state.hasVersions()) {
            for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
                addNode(static_cast<std::int32_t>(i));
        }
        return std::move(m_tasks);
    }

private:
    void addSends()
    {
        const Channel& pending = m_state.channel(m_graph.tasksChannel);
        if (!pending.available())
            return;
        const Value sends = pending.get();
        std::int64_t index = -1;
        for (const Value& packet : sends.asList()) {
            ++index;
            auto send = checkpoint::asSend(packet);
            const auto node = send ? m_graph.findNode(send->node) : std::nullopt;
            if (!node) // no such node: ignored, as in LangGraph
                continue;
            Task& task = m_tasks.emplace_back();
            task.node = *node;
            task.path = { TaskPath::Kind::Push, index, -1, false };
            task.triggered = Triggered::Otherwise;
            task.input = std::move(send->arg);
        }
    }

    [[nodiscard]] std::vector<std::int32_t> triggeredBy(const ChannelSet& updated) const
    {
        std::vector<std::int32_t> nodes;
        for (const std::int32_t channel : updated.items()) {
            const auto& triggers = m_graph.channel(channel).triggers;
            nodes.insert(nodes.end(), triggers.begin(), triggers.end());
        }
        if (nodes.size() < 2)
            return nodes;
        std::ranges::sort(nodes, {}, [this](std::int32_t node) { return m_graph.node(node).nameRank; });
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return nodes;
    }

    void addNode(std::int32_t index)
    {
        if (!isTriggered(m_state, index))
            return;
        const CompiledNode& node = m_graph.node(index);
        Value input;
        if (index == 0) {
            if (!m_state.channel(m_graph.startChannel).available())
                return;
            input = m_state.channel(m_graph.startChannel).get();
        } else {
            input = inputOf(node);
        }
        Task& task = m_tasks.emplace_back();
        task.node = index;
        task.path = { TaskPath::Kind::Pull, 0, index, false };
        task.input = std::move(input);
    }

    Value inputOf(const CompiledNode& node)
    {
        for (const auto& [group, input] : m_inputs)
            if (group == node.readGroup)
                return input;
        m_inputs.emplace_back(node.readGroup, readState(m_state, node.reads, m_limits));
        return m_inputs.back().second;
    }

    const GraphState& m_state;
    const CompiledGraph& m_graph;
    const StepLimits& m_limits;
    std::vector<Task> m_tasks;
    std::vector<std::pair<int, Value>> m_inputs; // shared by nodes that read the same
};

} // namespace

Value managedValue(ReadKey::Kind kind, const StepLimits& limits)
{
    return kind == ReadKey::Kind::IsLastStep ? Value(limits.step == limits.stop - 1)
                                             : Value(limits.stop - limits.step);
}

Value readState(const GraphState& state, const std::vector<ReadKey>& reads, const StepLimits& limits)
{
    ValueMap out;
    out.reserve(reads.size());
    for (const ReadKey& read : reads) {
        if (read.kind != ReadKey::Kind::Channel)
            out.set(read.key, managedValue(read.kind, limits));
        else if (const Channel& channel = state.channel(read.channel); channel.available())
            out.set(read.key, channel.get());
    }
    return Value(std::move(out));
}

std::vector<Task> planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated)
{
    return Planner(state, limits).run(updated);
}

} // namespace sg::engine
