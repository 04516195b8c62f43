#pragma once

#include "core/graph/graph_file.h"

#include <QString>

#include <functional>
#include <optional>

namespace sg::ui {

// What would mend a problem, where one thing plainly does: one step of the document.
struct QuickFix {
    QString title; // "Add channel 'rows'"
    std::function<void(graph::Graph&)> change;
};
std::optional<QuickFix> quickFixOf(const graph::Graph& graph, const graph::Problem& problem);

} // namespace sg::ui
