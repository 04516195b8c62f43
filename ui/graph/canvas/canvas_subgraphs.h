#pragma once

#include "ui/graph/canvas/edited_canvas.h"

#include <QString>

namespace sg::ui {

// Commands that enter and leave subgraphs, make them of nodes, and dissolve them. What they return says why
// it cannot be done; it is empty where it was.
[[nodiscard]] bool isSubgraphCurrent(const EditedCanvas& canvas);
void toggleInside(const EditedCanvas& canvas); // shows the current node's inside in its place, or its card
void goInside(const EditedCanvas& canvas); // of the current node
void goOutside(const EditedCanvas& canvas);
QString extractSelected(const EditedCanvas& canvas);
QString dissolveCurrent(const EditedCanvas& canvas);

} // namespace sg::ui
