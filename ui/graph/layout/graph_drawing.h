#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <string>
#include <vector>

// The drawn parts of a graph: nodes with both terminals, and edges between them by index. Edges to
// unknown names are left out; the graph's problems report them.
namespace sg::ui {

inline constexpr double kCardWidth = 160;
inline constexpr double kCardHeight = 56;
inline constexpr double kTerminalWidth = 56;
inline constexpr double kTerminalHeight = 24;
inline constexpr double kOpenHead = 34; // of the frame of a subgraph that shows its inside
inline constexpr double kOpenMargin = 14;

struct DrawnNode {
    enum class Kind { Card, Start, End };
    NodeId id;
    Kind kind = Kind::Card;
    std::string nodeKind{}; // "python", "jq", …; empty for terminals
    std::string subtitle{}; // what the node runs: file, program, address
    std::vector<std::string> outcomes{}; // labels of the node's branches, each with its own port
    double openWidth = 0; // of a subgraph that shows its inside; 0: it is a card
    double openHeight = 0;

    [[nodiscard]] bool isOpen() const { return openWidth > 0; }
    [[nodiscard]] double width() const
    {
        return kind != Kind::Card ? kTerminalWidth : isOpen() ? openWidth : kCardWidth;
    }
    [[nodiscard]] double height() const
    {
        return kind != Kind::Card ? kTerminalHeight : isOpen() ? openHeight : kCardHeight;
    }
    friend bool operator==(const DrawnNode&, const DrawnNode&) = default;
};

inline constexpr std::size_t kNoJoin = static_cast<std::size_t>(-1);

struct DrawnEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string label; // outcome of a branch
    std::size_t port = 0; // counted over all edges out of `from`
    std::size_t join = kNoJoin; // the waiting edge that it belongs to, or kNoJoin
    bool open = false; // from a branch without declared targets; its target is unknown, so to == from
    bool ofBranch = false; // `part` is an index of the graph's branches, else of its edges
    std::size_t part = 0;
    std::size_t target = 0; // index in the branch's targets, or in the node's "ends"
    bool ofCommand = false; // `part` is an index of the graph's nodes, whose Command may go there
    friend bool operator==(const DrawnEdge&, const DrawnEdge&) = default;
};

// A waiting edge: `to` runs when all of `edges` have arrived.
struct DrawnJoin {
    std::size_t to = 0;
    std::vector<std::size_t> edges;
    friend bool operator==(const DrawnJoin&, const DrawnJoin&) = default;
};

struct GraphDrawing {
    std::vector<DrawnNode> nodes; // Start is first and End last, if they are shown
    std::vector<DrawnEdge> edges{};
    std::vector<DrawnJoin> joins{};

    [[nodiscard]] std::size_t findNode(const NodeId& id) const; // nodes.size() if there is none
    friend bool operator==(const GraphDrawing&, const GraphDrawing&) = default;
};

GraphDrawing withoutInsides(GraphDrawing drawing); // all nodes are cards

enum class Terminals {
    Touched, // those that an edge touches
    Both, // both, to draw edges from and to; none in a graph without nodes
};
GraphDrawing drawingOf(const graph::Graph& graph, Terminals terminals = Terminals::Touched);

// One line that says what the node runs: "nodes/analyze.py", ".value + 1", "asks a person".
std::string subtitleOf(const graph::Node& node);

} // namespace sg::ui
