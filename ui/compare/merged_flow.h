#pragma once

#include "ui/compare/run_comparison.h"

#include <vector>

namespace sg::ui {

// Both ways as one graph: the nodes that ran on either, and which node led to which. Columns are in the order
// in which nodes first ran. Pure.
struct FlowNode {
    NodeComparison compared;
    int column = 0;
    int row = 0; // within the column
};
struct FlowEdge {
    int from = 0; // index in nodes
    int to = 0;
    NodeComparison::Kind kind = NodeComparison::Kind::Same; // never Changed
};
struct MergedFlow {
    std::vector<FlowNode> nodes;
    std::vector<FlowEdge> edges;
    int columns = 0;
    int rows = 0;
};

MergedFlow mergedFlow(const ComparisonRows& rows, const RunComparison& comparison);

} // namespace sg::ui
