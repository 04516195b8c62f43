#pragma once

#include "ui/graph/edits/graph_edits.h"

namespace sg::ui {

// Applies a change to the node that the form shows; does nothing if the node is gone.
template<typename Change>
auto onNode(const NodeId& id, Change change)
{
    return [&id, change](graph::Graph& graph, const auto& value) {
        if (graph::Node* node = nodeIn(graph, id))
            change(*node, value);
    };
}

} // namespace sg::ui
