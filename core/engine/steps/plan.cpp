#include "core/engine/steps/plan.h"

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
    Planner(const GraphState& state, const StepLimits& limits, std::vector<Task>& tasks)
        : m_state(state)
        , m_graph(state.graph())
        , m_limits(limits)
        , m_tasks(tasks)
    {
    }

    void run(const ChannelSet* updated)
    {
        m_tasks.clear();
        addSends();
        if (updated != nullptr && !updated->empty()) {
            addTriggeredBy(*updated);
        } else if (m_state.hasVersions()) {
            for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
                addNode(static_cast<std::int32_t>(i));
        }
    }

private:
    void addSends()
    {
        const Channel& pending = m_state.channel(m_graph.tasksChannel);
        if (!pending.available())
            return;
        const Value sends = pending.get();
        m_tasks.reserve(sends.asList().size());
        std::int64_t index = -1;
        for (const Value& packet : sends.asList()) {
            ++index;
            auto send = checkpoint::asSend(packet);
            const auto node = send ? m_graph.findNode(send->node) : std::nullopt;
            if (!node) // LangGraph ignores an unknown node, too
                continue;
            Task& task = m_tasks.emplace_back();
            task.node = *node;
            task.path = { TaskPath::Kind::Push, index, -1, false };
            task.triggered = Triggered::Otherwise;
            task.input = std::move(send->arg);
        }
    }

    void addTriggeredBy(const ChannelSet& updated)
    {
        static thread_local std::vector<std::int32_t> nodes;
        nodes.clear();
        for (const std::int32_t channel : updated.items()) {
            const auto& triggers = m_graph.channel(channel).triggers;
            nodes.insert(nodes.end(), triggers.begin(), triggers.end());
        }
        if (nodes.size() > 1) {
            std::ranges::sort(nodes, {}, [this](std::int32_t node) { return m_graph.node(node).nameRank; });
            nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
            m_tasks.reserve(m_tasks.size() + nodes.size());
        }
        for (const std::int32_t node : nodes)
            addNode(node);
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
        if (node.readGroup == m_readGroup)
            return m_input;
        for (const auto& [group, input] : m_otherInputs)
            if (group == node.readGroup)
                return input;
        Value input = readState(m_state, *node.reads, m_limits);
        if (m_readGroup < 0) {
            m_readGroup = node.readGroup;
            m_input = input;
        } else {
            m_otherInputs.emplace_back(node.readGroup, input);
        }
        return input;
    }

    const GraphState& m_state;
    const CompiledGraph& m_graph;
    const StepLimits& m_limits;
    std::vector<Task>& m_tasks;
    // Nodes that read the same share their input.
    int m_readGroup = -1;
    Value m_input;
    std::vector<std::pair<int, Value>> m_otherInputs;
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
            out.add(read.key, managedValue(read.kind, limits));
        else if (const Channel& channel = state.channel(read.channel); channel.available())
            out.add(read.key, channel.get());
    }
    return Value(std::move(out));
}

void planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated,
               std::vector<Task>& tasks)
{
    Planner(state, limits, tasks).run(updated);
}

std::vector<Task> planTasks(const GraphState& state, const StepLimits& limits, const ChannelSet* updated)
{
    std::vector<Task> tasks;
    planTasks(state, limits, updated, tasks);
    return tasks;
}

} // namespace sg::engine
