#pragma once

#include "ui/graph/canvas/edited_canvas.h"

#include <QString>

namespace sg::ui {

// Commands on what is selected. What they return says why nothing was done; it is empty where something was.
void selectAllNodes(const EditedCanvas& canvas);
void removeSelected(const EditedCanvas& canvas); // nodes, an edge, a note or a frame
void copySelected(const EditedCanvas& canvas); // to the clipboard
QString pasteCopied(const EditedCanvas& canvas);
void duplicateSelected(const EditedCanvas& canvas);
[[nodiscard]] bool canLead(const EditedCanvas& canvas); // edges can begin at the current node
void addBranchToCurrent(const EditedCanvas& canvas);
void toggleBreakpointOfCurrent(const EditedCanvas& canvas, bool before);
// Selects the next edge of that node, or of the whole graph where there is no such node.
void goToNextEdge(const EditedCanvas& canvas, const NodeId& node);

} // namespace sg::ui
