#include "tests/fault/random_workflow.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace sg::fault {
namespace {

using graph::ChannelType;
using graph::Reducer;

class Maker {
public:
    explicit Maker(std::uint64_t seed)
        : m_random(seed)
        , m_trouble(chance(50) ? Trouble::Questions : Trouble::Handlers)
    {
    }
    graph::Graph make(int depth);

private:
    // Where a question and a failure meet in one superstep, a handler that has finished runs again when the
    // question is answered, as in LangGraph: no graph has both.
    enum class Trouble { Questions, Handlers };
    [[nodiscard]] bool chance(int percent) { return below(100) < percent; }
    int below(int limit) { return static_cast<int>(m_random() % static_cast<std::uint64_t>(limit)); }
    const std::string& any(const std::vector<std::string>& names)
    {
        return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
    }
    void addChannels(graph::Graph& graph);
    graph::Node makeNode(const std::string& name, int depth);
    void addTroubles(graph::Node& node);
    void addEdges(graph::Graph& graph, const std::vector<std::string>& names);
    void addSends(graph::Graph& graph, const std::vector<std::string>& names);

    std::mt19937_64 m_random;
    const Trouble m_trouble;
};

void addEdge(graph::Graph& graph, const std::string& from, const std::string& to)
{
    graph.edges.push_back({ { NodeId(from) }, NodeId(to), false });
}

graph::Graph Maker::make(int depth)
{
    graph::Graph graph;
    graph.name = depth == 0 ? "random" : "nested";
    addChannels(graph);
    std::vector<std::string> names;
    const int count = depth == 0 ? 3 + below(7) : 2 + below(2);
    for (int i = 0; i < count; ++i) {
        names.push_back((depth == 0 ? "n" : "s") + std::to_string(i));
        graph.nodes.push_back(makeNode(names.back(), depth));
    }
    addEdges(graph, names);
    if (chance(40))
        addSends(graph, names);
    return graph;
}

void Maker::addChannels(graph::Graph& graph)
{
    const auto channel = [&graph](const char* name, ChannelType type, Reducer reducer) -> graph::Channel& {
        graph.channels.emplace_back();
        graph.channels.back().name = name;
        graph.channels.back().type = type;
        graph.channels.back().reducer = reducer;
        return graph.channels.back();
    };
    channel("log", ChannelType::Reduce, Reducer::Append);
    channel("n", ChannelType::Reduce, Reducer::Add);
    channel("all", ChannelType::Reduce, Reducer::Union);
    channel("changes", ChannelType::Delta, Reducer::Append).snapshotFrequency = 1 + below(4);
}

graph::Node Maker::makeNode(const std::string& name, int depth)
{
    graph::Node node;
    node.name = NodeId(name);
    node.kind = "work";
    node.settings.set("blocks", Value(chance(60)));
    node.settings.set("micros", Value(chance(50) ? below(1500) : 0));
    node.settings.set("pad", Value(chance(25) ? below(6000) : below(40)));
    node.settings.set("changes", Value(chance(40)));
    node.defer = chance(10);
    if (depth < 2 && chance(15)) {
        node.subgraph = std::make_shared<graph::Graph>(make(depth + 1));
        node.settings.set("in", Value("nothing"));
    } else {
        addTroubles(node);
    }
    return node;
}

void Maker::addTroubles(graph::Node& node)
{
    if (chance(10)) {
        node.settings.set("fails", Value(1 + below(2)));
        graph::RetryPolicy policy;
        policy.maxAttempts = 3;
        policy.initialInterval = 0;
        policy.jitter = false;
        policy.retryOn = { "ValueError" };
        node.retry = { policy };
    } else if (!chance(15)) {
        return;
    } else if (m_trouble == Trouble::Handlers) {
        node.settings.set("fails", Value(1000));
        node.errorHandler = Value::map({ { "kind", "work" } });
    } else {
        node.settings.set("asks", Value(1 + below(2)));
    }
}

void Maker::addEdges(graph::Graph& graph, const std::vector<std::string>& names)
{
    addEdge(graph, graph::kStart, names.front());
    for (int more = below(3); more > 0; --more)
        if (std::string to = any(names);
            std::ranges::find(graph.edges, NodeId(to), &graph::Edge::to) == graph.edges.end())
            addEdge(graph, graph::kStart, to);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::vector<std::string> later(names.begin() + static_cast<std::ptrdiff_t>(i) + 1, names.end());
        const int kind = below(100);
        if (!later.empty() && kind < 65) {
            const std::string& first = any(later);
            addEdge(graph, names[i], first);
            if (const std::string& second = any(later); chance(50) && second != first)
                addEdge(graph, names[i], second);
        } else if (kind < 85) {
            graph::Branch branch;
            branch.from = NodeId(names[i]);
            branch.settings.set("limit", Value(3 + below(12)));
            branch.settings.set("again", Value(any(names)));
            branch.settings.set("over", Value(later.empty() ? std::string(graph::kEnd) : any(later)));
            graph.branches.push_back(std::move(branch));
        } else {
            addEdge(graph, names[i], graph::kEnd);
        }
    }
    if (names.size() >= 3 && chance(40))
        graph.edges.push_back({ { NodeId(names[0]), NodeId(names[1]) }, NodeId(names.back()), true });
}

void Maker::addSends(graph::Graph& graph, const std::vector<std::string>& names)
{
    graph::Branch branch;
    branch.from = chance(30) ? NodeId(graph::kStart) : NodeId(names.front());
    branch.settings.set("limit", Value(10));
    branch.settings.set("worker", Value(names.back()));
    branch.settings.set("count", Value(1 + below(5)));
    graph.branches.push_back(std::move(branch));
}

} // namespace

Workflow randomWorkflow(std::uint64_t seed)
{
    Workflow workflow;
    workflow.graph = Maker(seed).make(0);
    workflow.input = Value::map({ { "log", Value::list({ Value("in " + std::to_string(seed)) }) } });
    return workflow;
}

} // namespace sg::fault
