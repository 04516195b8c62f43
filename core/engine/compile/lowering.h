#pragma once

#include "core/engine/compile/compiled_graph.h"

// Parts of compile(): what StateGraph.compile() makes of the state and of edges.
namespace sg::engine {

// Its index; `key` is its name.
std::int32_t addChannel(CompiledGraph& graph, Value key, std::unique_ptr<const Channel> fresh,
                        ChannelTraits traits);
// The graph's own, then those that hold the input and the Sends.
void addStateChannels(const graph::Graph& source, CompiledGraph& graph);

// What triggers a node.
std::string branchChannel(const std::string& node);
// Of nodes that are there: edges become static writes, waiting edges channels.
void addEdges(const graph::Graph& source, CompiledGraph& graph);

} // namespace sg::engine
