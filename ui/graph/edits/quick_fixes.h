#pragma once

#include "core/graph/graph_file.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace sg::ui {

// Mends a problem that has one obvious solution, in one step of the document.
struct QuickFix {
    QString title; // "Add channel 'rows'"
    std::function<void(graph::Graph&)> change;
};
std::optional<QuickFix> quickFixOf(const graph::Graph& graph, const graph::Problem& problem);
// The titles of many fixes, in the order of the problems; empty where there is none.
QStringList quickFixTitles(const graph::Graph& graph, const std::vector<graph::Problem>& problems);

} // namespace sg::ui
