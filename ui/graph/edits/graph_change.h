#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sg::ui {

// A run of list elements that was replaced by another one.
template<typename Part>
struct Splice {
    std::size_t at = 0;
    std::vector<Part> before;
    std::vector<Part> after;
    [[nodiscard]] bool isEmpty() const { return before.empty() && after.empty(); }
};

// What lies between two states of a graph, small where they are nearly the same: one run of each list, and
// the settings of the graph itself. A value; applying it forward and backward gives each state exactly.
class GraphChange {
public:
    GraphChange() = default;
    GraphChange(const graph::Graph& before, const graph::Graph& after);

    [[nodiscard]] bool isEmpty() const;
    // Whether cards, edges or what they say change, and not their places alone.
    [[nodiscard]] bool changesDrawing() const
    {
        return !m_nodes.isEmpty() || !m_edges.isEmpty() || !m_branches.isEmpty();
    }
    void apply(graph::Graph& graph) const; // `graph` is as before
    void revert(graph::Graph& graph) const; // `graph` is as after

private:
    struct Settings; // all that is no list
    Splice<graph::Channel> m_channels;
    Splice<graph::Node> m_nodes;
    Splice<graph::Edge> m_edges;
    Splice<graph::Branch> m_branches;
    Splice<std::pair<NodeId, graph::Position>> m_layout;
    Splice<graph::Note> m_notes;
    std::shared_ptr<const Settings> m_settings; // null: the same; never changes once made
};

} // namespace sg::ui
