#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sg::ui {

// A contiguous run of list elements that was replaced by another one.
template<typename Part>
struct Splice {
    std::size_t at = 0;
    std::vector<Part> before;
    std::vector<Part> after;
    [[nodiscard]] bool isEmpty() const { return before.empty() && after.empty(); }
};

// The difference of two graphs, small if they are nearly the same: one splice for each list, and the settings
// of the graph itself. apply() and revert() reproduce each graph exactly.
class GraphChange {
public:
    GraphChange() = default;
    GraphChange(const graph::Graph& before, const graph::Graph& after);

    [[nodiscard]] bool isEmpty() const;
    // Tells whether cards, edges or their texts change, not only their places.
    [[nodiscard]] bool changesDrawing() const
    {
        return !m_nodes.isEmpty() || !m_edges.isEmpty() || !m_branches.isEmpty();
    }
    void apply(graph::Graph& graph) const; // expects the graph before the change
    void revert(graph::Graph& graph) const; // expects the graph after the change

private:
    struct Settings; // everything that is not in a list
    Splice<graph::Channel> m_channels;
    Splice<graph::Node> m_nodes;
    Splice<graph::Edge> m_edges;
    Splice<graph::Branch> m_branches;
    Splice<std::pair<NodeId, graph::Position>> m_layout;
    Splice<graph::Note> m_notes;
    std::shared_ptr<const Settings> m_settings; // immutable; null if they are the same
};

} // namespace sg::ui
