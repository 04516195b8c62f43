#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <string>
#include <vector>

// What the canvas draws of a graph: nodes with both terminals, and edges between them by index. Edges to
// names that no node has are left out (the graph's problems tell of them).
namespace sg::ui {

inline constexpr double kCardWidth = 160;
inline constexpr double kCardHeight = 56;
inline constexpr double kTerminalWidth = 56;
inline constexpr double kTerminalHeight = 24;

struct DrawnNode {
    enum class Kind { Card, Start, End };
    NodeId id;
    Kind kind = Kind::Card;
    std::string nodeKind; // "python", "jq", …; empty for terminals
    std::string subtitle; // what runs: file, program, address
    std::vector<std::string> outcomes; // labels of the node's branches: one port each

    [[nodiscard]] double width() const { return kind == Kind::Card ? kCardWidth : kTerminalWidth; }
    [[nodiscard]] double height() const { return kind == Kind::Card ? kCardHeight : kTerminalHeight; }
    friend bool operator==(const DrawnNode&, const DrawnNode&) = default;
};

inline constexpr std::size_t kNoJoin = static_cast<std::size_t>(-1);

struct DrawnEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string label; // outcome of a branch
    std::size_t port = 0; // counted over all ways out of `from`
    std::size_t join = kNoJoin; // the waiting edge that it belongs to
    bool open = false; // a branch without declared targets: leads nowhere that is known; to == from
    bool ofBranch = false; // which part of the graph it shows: one of its branches, else of its edges
    std::size_t part = 0;
    std::size_t target = 0; // of the branch
    friend bool operator==(const DrawnEdge&, const DrawnEdge&) = default;
};

// A waiting edge: `to` runs when all of `edges` have arrived.
struct DrawnJoin {
    std::size_t to = 0;
    std::vector<std::size_t> edges;
    friend bool operator==(const DrawnJoin&, const DrawnJoin&) = default;
};

struct GraphDrawing {
    std::vector<DrawnNode> nodes; // Start first and End last, where they are shown
    std::vector<DrawnEdge> edges;
    std::vector<DrawnJoin> joins;

    [[nodiscard]] std::size_t findNode(const NodeId& id) const; // nodes.size(): none
    friend bool operator==(const GraphDrawing&, const GraphDrawing&) = default;
};

enum class Terminals {
    Touched, // where an edge touches them
    Both, // to draw edges from and to; none in a graph without nodes
};
GraphDrawing drawingOf(const graph::Graph& graph, Terminals terminals = Terminals::Touched);

// One line that says what the node runs: "nodes/analyze.py", ".value + 1", "asks a person".
std::string subtitleOf(const graph::Node& node);

} // namespace sg::ui
