#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// What a person does to a graph, as functions on the value: each leaves a graph in which no edge, target,
// breakpoint or place names a node that the edit took away. All tolerate names that are not there.
namespace sg::ui {

// "analyze", "analyze_2", …: not taken and not reserved.
NodeId freeNodeName(const graph::Graph& graph, const std::string& wanted);
std::string freeChannelName(const graph::Graph& graph, const std::string& wanted);
// Why a node or channel may not be called so, in words; empty: it may. `self`: its name today.
std::string nodeNameFault(const graph::Graph& graph, const std::string& name, const std::string& self);
std::string channelNameFault(const graph::Graph& graph, const std::string& name, const std::string& self);

// A node that can run as it is, apart from a python node's file, which stands where `settings` say. The first
// node of a graph becomes its entry.
NodeId addNode(graph::Graph& graph, const std::string& kind, const graph::Position& place);
// The node keeps its name, its edges, and every setting that both kinds know or no kind does; the others go,
// and what it needs to run stands in their place.
void setNodeKind(graph::Graph& graph, const NodeId& node, const std::string& kind);
// Also from "ends" and own sessions; a branch that leads nowhere without them goes too.
void removeNodes(graph::Graph& graph, const std::vector<NodeId>& nodes);
// Also in edges, targets, breakpoints, "ends", own sessions and the layout. A label that was the node's name
// stays, so that the branch's program still means the same.
void renameNode(graph::Graph& graph, const NodeId& from, const NodeId& to);
// The same for a name that may be no node's: whatever names it names the other one.
void renameReferences(graph::Graph& graph, const NodeId& from, const NodeId& to);
void moveNodes(graph::Graph& graph, const std::vector<std::pair<NodeId, graph::Position>>& places);
// What arranging leaves where it is. A node that is moved stays pinned, where it is then.
[[nodiscard]] bool isPinned(const graph::Graph& graph, const NodeId& node);
void pinNodes(graph::Graph& graph, const std::vector<std::pair<NodeId, graph::Position>>& places); // or unpin

// Why the two cannot be connected, in words; empty: they can.
std::string connectionFault(const graph::Graph& graph, const std::vector<NodeId>& from, const NodeId& to);
// The same for many ends at once.
std::vector<std::string> connectionFaults(const graph::Graph& graph, const std::vector<NodeId>& from,
                                          const std::vector<NodeId>& ends);
// One start: an edge, or one more outcome where the node has a branch with targets; several: a waiting edge.
void connectNodes(graph::Graph& graph, const std::vector<NodeId>& from, const NodeId& to);
void removeEdge(graph::Graph& graph, std::size_t edge, const NodeId& from); // one start of a waiting edge
void addBranch(graph::Graph& graph, const NodeId& from); // its edges become outcomes
void removeBranch(graph::Graph& graph, std::size_t branch);
void removeTarget(graph::Graph& graph, std::size_t branch, std::size_t target);
void setTargetLabel(graph::Graph& graph, std::size_t branch, std::size_t target, const std::string& label);
void setTarget(graph::Graph& graph, std::size_t branch, std::size_t target, const NodeId& to);
void addTarget(graph::Graph& graph, std::size_t branch); // to the end, until another is chosen
void allowAnyTarget(graph::Graph& graph, std::size_t branch); // its outcome names nodes, or is Sends
void setEdgeTarget(graph::Graph& graph, std::size_t edge,
                   const NodeId& to); // unless they are connected already
void setStarts(graph::Graph& graph, std::size_t edge,
               const std::vector<std::string>& from); // all of them nodes

enum class Breakpoint { Before, After };
[[nodiscard]] bool hasBreakpoint(const graph::Graph& graph, const NodeId& node, Breakpoint where);
void toggleBreakpoint(graph::Graph& graph, const NodeId& node, Breakpoint where); // without its condition
[[nodiscard]] std::string breakCondition(const graph::Graph& graph, const NodeId& node, Breakpoint where);
void setBreakCondition(graph::Graph& graph, const NodeId& node, Breakpoint where,
                       const std::string& program); // empty: it holds always

std::string addChannel(graph::Graph& graph, const std::string& wanted);
void removeChannel(graph::Graph& graph, const std::string& name); // also from reads, writes and schemas
void renameChannel(graph::Graph& graph, const std::string& from, const std::string& to);
graph::Node* nodeIn(graph::Graph& graph, const NodeId& id); // null: none
graph::Channel* channelIn(graph::Graph& graph, const std::string& name);

} // namespace sg::ui
