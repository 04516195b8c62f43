#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// A graph as cards and lines, for pictures in any format.
namespace sg::exchange {

struct DrawnCard {
    std::string name;
    std::string kind{}; // empty: start or end
    graph::Position centre{};
};

struct DrawnLine {
    std::size_t from = 0; // cards, by index
    std::size_t to = 0;
    std::string label;
    bool dashed = false; // for a branch, or where a Command may go
    bool toBar = false; // ends at a waiting edge's bar, without an arrow
};

// The place where a waiting edge gathers its starts.
struct DrawnBar {
    graph::Position centre;
    std::size_t to = 0;
};

struct Drawing {
    std::vector<DrawnCard>
        cards; // start, the nodes in file order, end; start and end only if something touches them
    std::vector<DrawnLine> lines;
    std::vector<DrawnBar> bars;
    std::vector<std::size_t> lineBars; // bar of each line with `toBar`, by the line's index
    std::vector<std::size_t> anywhere; // cards whose branch may lead to any node
};

// Uses the positions of the graph's layout. Nodes without one are placed in columns by their distance from
// the start, below the others. Edges to unknown names are left out.
Drawing drawingOf(const graph::Graph& graph);

inline constexpr double kCardWidth = 160;
inline constexpr double kCardHeight = 56;
inline constexpr double kEndWidth = 64;
inline constexpr double kEndHeight = 28;

} // namespace sg::exchange
