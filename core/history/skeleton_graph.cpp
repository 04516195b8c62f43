#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/names.h"
#include "core/history/history.h"
#include "core/history/inert_state.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sg::history {
namespace {

constexpr std::string_view kBranch = "branch:to:";
constexpr std::string_view kJoin = "join:";
constexpr std::string_view kPull = "~__pregel_pull, ";

// In "join:a+b:c" a and b lead to c together.
std::optional<graph::Edge> joinOf(std::string_view channel)
{
    const std::size_t end = channel.rfind(':');
    if (!channel.starts_with(kJoin) || end < kJoin.size() || end + 1 >= channel.size())
        return std::nullopt;
    graph::Edge edge;
    edge.waiting = true;
    edge.to = NodeId(std::string(channel.substr(end + 1)));
    std::string_view starts = channel.substr(kJoin.size(), end - kJoin.size());
    while (!starts.empty()) {
        const std::size_t plus = std::min(starts.find('+'), starts.size());
        edge.from.emplace_back(std::string(starts.substr(0, plus)));
        starts.remove_prefix(std::min(plus + 1, starts.size()));
    }
    return edge;
}

class Skeleton {
public:
    void add(const checkpoint::CheckpointRecord& record)
    {
        const checkpoint::Checkpoint& checkpoint = record.checkpoint;
        for (const auto& [node, seen] : checkpoint.versionsSeen)
            if (node.isString())
                addNode(node.asString());
        for (const auto& [key, version] : checkpoint.channelVersions) {
            const std::string_view channel = key.isString() ? std::string_view(key.asString()) : "";
            if (channel.starts_with(kBranch)) {
                addNode(std::string(channel.substr(kBranch.size())));
            } else if (auto edge = joinOf(channel)) {
                for (const NodeId& from : edge->from)
                    addNode(from.value);
                addNode(edge->to.value);
                addEdge(std::move(*edge));
            } else if (isStateChannel(channel)) {
                addChannel(channel);
            }
        }
        takeWays(record);
    }

    graph::Graph take()
    {
        // Edges may have been found before their ends were known to be nodes.
        std::erase_if(m_graph.edges, [this](const graph::Edge& edge) {
            return std::ranges::any_of(edge.from, [this](const NodeId& from) { return !isKnown(from); })
                || !isKnown(edge.to);
        });
        return std::move(m_graph);
    }

private:
    void addNode(const std::string& name)
    {
        if (name.starts_with("__") || m_nodes.size() >= kSkeletonParts || !m_nodes.insert(name).second)
            return;
        graph::Node node;
        node.name = NodeId(name);
        m_graph.nodes.push_back(std::move(node));
    }
    void addChannel(std::string_view name)
    {
        if (m_channels.size() >= kSkeletonParts || !m_channels.emplace(name).second)
            return;
        graph::Channel channel;
        channel.name = std::string(name);
        m_graph.channels.push_back(std::move(channel));
    }
    void addEdge(graph::Edge edge)
    {
        std::string key = (edge.waiting ? "join" : "") + ('\0' + edge.to.value);
        for (const NodeId& from : edge.from)
            (key += '\0') += from.value;
        if (m_edges.size() < kSkeletonParts && m_edges.insert(std::move(key)).second)
            m_graph.edges.push_back(std::move(edge));
    }
    void addEdge(const NodeId& from, std::string to) { addEdge({ { from }, NodeId(std::move(to)), false }); }
    [[nodiscard]] bool isKnown(const NodeId& node) const
    {
        return node.value == graph::kStart || node.value == graph::kEnd || m_nodes.contains(node.value);
    }

    // A finished task's writes show where it led.
    void takeWays(const checkpoint::CheckpointRecord& record)
    {
        std::map<std::string, bool> ledOn; // by path of the task
        const std::vector<NodeId> sent = sendTargets(record.checkpoint);
        const auto nodeAt = [&sent](const std::string& path) {
            if (path.starts_with(kPull))
                return NodeId(path.substr(kPull.size()));
            const auto index = sendIndex(path);
            return index && *index < sent.size() ? sent[*index] : NodeId();
        };
        for (const checkpoint::PendingWrite& write : record.writes) {
            const NodeId from = nodeAt(write.taskPath);
            const std::string_view channel = write.channel;
            if (from.empty()
                || (channel.starts_with("__") && channel != engine::kTasksName && channel != "__no_writes__"))
                continue;
            bool& led = ledOn[write.taskPath];
            if (channel.starts_with(kBranch)) {
                addEdge(from, std::string(channel.substr(kBranch.size())));
                led = true;
            } else if (channel == engine::kTasksName) {
                if (const auto send = checkpoint::asSend(write.value)) {
                    addNode(send->node);
                    addEdge(from, send->node);
                }
                led = true;
            } else if (channel.starts_with(kJoin)) {
                led = true;
            }
        }
        for (const auto& [path, led] : ledOn)
            if (!led && nodeAt(path).value != graph::kStart)
                addEdge(nodeAt(path), graph::kEnd);
    }

    graph::Graph m_graph;
    // These hold the names that the graph has, and its edges as text.
    std::unordered_set<std::string> m_nodes;
    std::unordered_set<std::string> m_channels;
    std::unordered_set<std::string> m_edges;
};

} // namespace

Result<graph::Graph> skeletonGraph(checkpoint::CheckpointStore& store, const ThreadId& thread)
{
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.ns = "";
    query.isLook = true;
    query.limit = kSkeletonCheckpoints;
    Skeleton skeleton;
    auto listed = store.list(query, [&](const checkpoint::CheckpointRecord& record) {
        if (record.problem.empty())
            skeleton.add(record);
        return true;
    });
    if (!listed)
        return std::move(listed.error());
    return skeleton.take();
}

} // namespace sg::history
