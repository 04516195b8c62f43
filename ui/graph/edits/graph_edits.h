#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// Edits of a graph, as functions on the value. Each leaves a graph in which no edge, target, breakpoint or
// place names a removed node. Names that do not exist are ignored.
namespace sg::ui {

// A name that is neither taken nor reserved: "analyze", "analyze_2", …
NodeId freeNodeName(const graph::Graph& graph, const std::string& wanted);
std::string freeChannelName(const graph::Graph& graph, const std::string& wanted);
// Returns why a node or channel may not have this name; empty if it may. `self` is its present name.
std::string nodeNameFault(const graph::Graph& graph, const std::string& name, const std::string& self);
std::string channelNameFault(const graph::Graph& graph, const std::string& name, const std::string& self);

// The new node can run at once, except that a python node's file must exist where its settings say. The first
// node of a graph becomes its entry.
NodeId addNode(graph::Graph& graph, const std::string& kind, const graph::Position& place);
// The node keeps its name, its edges, and every setting that both kinds or no kind know. Other settings are
// removed, and those that the new kind needs are added.
void setNodeKind(graph::Graph& graph, const NodeId& node, const std::string& kind);
// Removes them from "ends" and own sessions, too, and removes branches that have no target left.
void removeNodes(graph::Graph& graph, const std::vector<NodeId>& nodes);
// Renames the node in edges, targets, breakpoints, "ends", own sessions and the layout, too. A label that was
// the node's name stays, because the branch's program returns it.
void renameNode(graph::Graph& graph, const NodeId& from, const NodeId& to);
// Does the same for a name that need not be a node's: every reference to `from` becomes one to `to`.
void renameReferences(graph::Graph& graph, const NodeId& from, const NodeId& to);
void moveNodes(graph::Graph& graph, const std::vector<std::pair<NodeId, graph::Position>>& places);
// Arranging leaves pinned nodes where they are. A node that is moved stays pinned at its new place.
[[nodiscard]] bool isPinned(const graph::Graph& graph, const NodeId& node);
void pinNodes(graph::Graph& graph, const std::vector<std::pair<NodeId, graph::Position>>& places); // or unpin

// Returns why the two cannot be connected; empty if they can.
std::string connectionFault(const graph::Graph& graph, const std::vector<NodeId>& from, const NodeId& to);
// Does the same for many ends; one text for each.
std::vector<std::string> connectionFaults(const graph::Graph& graph, const std::vector<NodeId>& from,
                                          const std::vector<NodeId>& ends);
// One start makes an edge, or an outcome if the node has a branch with targets; several make a waiting edge.
void connectNodes(graph::Graph& graph, const std::vector<NodeId>& from, const NodeId& to);
void removeEdge(graph::Graph& graph, std::size_t edge, const NodeId& from); // or one start of a waiting edge
void addBranch(graph::Graph& graph, const NodeId& from); // its edges become outcomes
void removeBranch(graph::Graph& graph, std::size_t branch);
void removeTarget(graph::Graph& graph, std::size_t branch, std::size_t target);
void setTargetLabel(graph::Graph& graph, std::size_t branch, std::size_t target, const std::string& label);
void setTarget(graph::Graph& graph, std::size_t branch, std::size_t target, const NodeId& to);
void addTarget(graph::Graph& graph, std::size_t branch); // the target is the end until another one is chosen
void allowAnyTarget(graph::Graph& graph, std::size_t branch); // the outcome then names nodes, or is Sends
void setEdgeTarget(graph::Graph& graph, std::size_t edge,
                   const NodeId& to); // where connectionFault() allows it
void setStarts(graph::Graph& graph, std::size_t edge,
               const std::vector<std::string>& from); // does nothing unless all of them are nodes

enum class Breakpoint { Before, After };
[[nodiscard]] bool hasBreakpoint(const graph::Graph& graph, const NodeId& node, Breakpoint where);
void toggleBreakpoint(graph::Graph& graph, const NodeId& node, Breakpoint where); // removes its condition too
[[nodiscard]] std::string breakCondition(const graph::Graph& graph, const NodeId& node, Breakpoint where);
void setBreakCondition(graph::Graph& graph, const NodeId& node, Breakpoint where,
                       const std::string& program); // an empty one holds always

std::string addChannel(graph::Graph& graph, const std::string& wanted);
void removeChannel(graph::Graph& graph, const std::string& name); // from reads, writes and schemas, too
void renameChannel(graph::Graph& graph, const std::string& from, const std::string& to);
graph::Node* nodeIn(graph::Graph& graph, const NodeId& id); // null if there is none
graph::Channel* channelIn(graph::Graph& graph, const std::string& name);

} // namespace sg::ui
