#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// A graph as cards and lines, for pictures of any format.
namespace sg::exchange {

struct DrawnCard {
    std::string name;
    std::string kind; // empty: start or end
    graph::Position centre;
};

struct DrawnLine {
    std::size_t from = 0; // cards, by index
    std::size_t to = 0;
    std::string label;
    bool dashed = false; // of a branch
    bool toBar = false; // ends at a waiting edge's bar, without an arrow
};

struct DrawnBar { // where a waiting edge gathers its starts
    graph::Position centre;
    std::size_t to = 0;
};

struct Drawing {
    std::vector<DrawnCard>
        cards; // start, the nodes in file order, end; start and end where something touches them
    std::vector<DrawnLine> lines;
    std::vector<DrawnBar> bars;
    std::vector<std::size_t> lineBars; // bar of each line with `toBar`, by the line's index
    std::vector<std::size_t> anywhere; // cards whose branch may lead to any node
};

// Places as in the graph's layout; nodes without one stand in columns by their distance from the start, below
// the others. Edges to names that no node has are left out.
Drawing drawingOf(const graph::Graph& graph);

inline constexpr double kCardWidth = 160;
inline constexpr double kCardHeight = 56;
inline constexpr double kEndWidth = 64;
inline constexpr double kEndHeight = 28;

} // namespace sg::exchange
