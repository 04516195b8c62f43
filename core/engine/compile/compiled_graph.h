#pragma once

#include "core/base/value.h"
#include "core/engine/channels/channel.h"
#include "core/engine/compile/name_index.h"
#include "core/engine/compile/write.h"
#include "core/engine/names.h"
#include "core/engine/node_body.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A graph as compile() makes it: names are resolved to dense indices, so that a superstep looks nothing up.
namespace sg {
class Random;
}

namespace sg::engine {

class NodeCache;

struct CompiledChannel {
    Value key; // the name, shared by every map that has it
    [[nodiscard]] const std::string& name() const { return key.asString(); }
    std::unique_ptr<const Channel> fresh; // what a new state copies
    std::function<std::unique_ptr<Channel>(Random&)> make; // replaces `fresh` if a Random is needed
    ChannelTraits traits;
    bool isState = false; // named in the graph file
    bool untracked = false;
    bool aggregate = false;
    std::optional<int> deltaFrequency; // stored as changes: updates between snapshots
    bool keepsMessageIds = false; // its writes get message ids before they are stored
    std::vector<std::int32_t> triggers; // nodes that it triggers
};

struct ReadKey {
    enum class Kind { Channel, RemainingSteps, IsLastStep };
    Kind kind = Kind::Channel;
    std::int32_t channel = -1;
    Value key;
};

struct CompiledTarget {
    std::string label;
    NodeId node;
    std::int32_t channel = kUnknownChannel; // a write to it sends the graph there; unknown: no write does
};

struct CompiledBranch {
    std::string name;
    std::unique_ptr<NodeBody> body;
    std::optional<std::vector<CompiledTarget>> targets;
};

struct CompiledNode {
    NodeId name;
    Value key; // the name
    std::vector<std::int32_t> triggers; // the first is branch:to:<name>
    std::string idSuffix; // name ‖ kind ‖ sorted triggers: the part of a task id that never changes
    std::shared_ptr<const std::vector<ReadKey>> reads;
    std::shared_ptr<const std::vector<ReadKey>> branchReads;
    int readGroup = 0; // nodes of one group get the same input
    int nameRank = 0; // its place among the sorted names
    std::optional<std::vector<bool>> mayWrite; // by channel; absent: all
    Writes staticWrites; // edges, then waiting edges
    std::vector<CompiledBranch> branches;
    std::unique_ptr<NodeBody> body; // null: __start__, or a subgraph that is the node itself
    std::shared_ptr<const CompiledGraph> subgraph;
    std::vector<graph::RetryPolicy> retry;
    std::optional<graph::CachePolicy> cache;
    std::optional<std::int32_t> errorHandler; // the node that handles this one's failures
    bool isErrorHandler = false;
    bool mayBlock = false; // the body or a branch may block
};

struct NodeSelection { // the nodes at which a static interrupt stops
    bool all = false;
    std::vector<bool> nodes;
    std::vector<std::shared_ptr<NodeBody>> conditions; // by node; null, or none at all: always
    [[nodiscard]] bool empty() const { return !all && nodes.empty(); }
};

struct CompiledGraph {
    std::string name;
    std::vector<CompiledChannel> channels;
    NameIndex channelIndex;
    std::vector<std::pair<std::string, ReadKey::Kind>> managed;
    std::vector<CompiledNode> nodes; // [0] is __start__
    NameIndex nodeIndex;
    std::int32_t startChannel = 0;
    std::int32_t tasksChannel = 0;
    std::vector<bool> inputKeys; // by channel: what __start__ may write
    std::vector<std::int32_t> output;
    std::vector<std::int32_t> stream; // every state channel
    std::vector<std::int32_t> clearing; // channels that a superstep without a write may change
    std::vector<std::int32_t> finishing; // channels that react to finish()
    std::vector<std::int32_t> deltas;
    bool stickyOutput = true; // no output channel loses its value by itself
    bool hasUntracked = false;
    bool mayBlock = false;
    NodeSelection interruptBefore;
    NodeSelection interruptAfter;
    std::optional<int> recursionLimit;
    graph::Checkpointer checkpointer = graph::Checkpointer::Inherit;
    std::shared_ptr<NodeCache> cache; // has its own lock; null: none
    std::vector<std::pair<std::string, std::string>> plainEdges; // node to node, for old databases

    [[nodiscard]] std::optional<std::int32_t> findChannel(std::string_view channel) const
    {
        return channelIndex.find(channel);
    }
    // Finds a channel of the state. States are small: comparing a few names takes less than hashing one.
    [[nodiscard]] std::optional<std::int32_t> findState(std::string_view channel) const
    {
        constexpr std::size_t few = 8;
        if (stream.size() > few) {
            const auto found = findChannel(channel);
            return found && channels[static_cast<std::size_t>(*found)].isState ? found : std::nullopt;
        }
        for (const std::int32_t index : stream)
            if (channels[static_cast<std::size_t>(index)].name() == channel)
                return index;
        return std::nullopt;
    }
    [[nodiscard]] std::optional<ReadKey::Kind> findManaged(std::string_view key) const
    {
        for (const auto& [managedKey, kind] : managed)
            if (managedKey == key)
                return kind;
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::int32_t> findNode(std::string_view node) const
    {
        return nodeIndex.find(node);
    }
    [[nodiscard]] const CompiledNode& node(std::int32_t index) const
    {
        return nodes[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] const CompiledChannel& channel(std::int32_t index) const
    {
        return channels[static_cast<std::size_t>(index)];
    }
};

// Returns the sorted names of the node's triggers, as the `tasks` stream shows them.
Value sortedTriggers(const CompiledGraph& graph, const CompiledNode& node);
// Selects the named nodes, or all for "*". Unknown names are ignored here; checkGraph() reports them.
NodeSelection selectNodes(const CompiledGraph& graph, const std::vector<std::string>& names);

} // namespace sg::engine
