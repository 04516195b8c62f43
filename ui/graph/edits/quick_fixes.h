#pragma once

#include "core/graph/graph_file.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace sg::ui {

// What would mend a problem, where one thing plainly does: one step of the document.
struct QuickFix {
    QString title; // "Add channel 'rows'"
    std::function<void(graph::Graph&)> change;
};
std::optional<QuickFix> quickFixOf(const graph::Graph& graph, const graph::Problem& problem);
// The titles of many, in their order; empty: nothing plainly mends it.
QStringList quickFixTitles(const graph::Graph& graph, const std::vector<graph::Problem>& problems);

} // namespace sg::ui
