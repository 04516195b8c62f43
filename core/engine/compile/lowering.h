#pragma once

#include "core/engine/compile/compiled_graph.h"

// These are parts of compile(): what StateGraph.compile() makes of the state and of edges.
namespace sg::engine {

// Adds a channel named `key` and returns its index.
std::int32_t addChannel(CompiledGraph& graph, Value key, std::unique_ptr<const Channel> fresh,
                        ChannelTraits traits);
// Adds the graph's own channels, then those that hold the input and the Sends.
void addStateChannels(const graph::Graph& source, CompiledGraph& graph);

// Returns the name of the channel that triggers a node.
std::string branchChannel(const std::string& node);
// Turns edges between known nodes into static writes, and waiting edges into channels.
void addEdges(const graph::Graph& source, CompiledGraph& graph);

} // namespace sg::engine
