#pragma once

#include "ui/graph/canvas/edited_canvas.h"
#include "ui/graph/edits/alignment.h"

#include <QString>

#include <functional>

namespace sg::ui {

class Arranger;

// Commands that change where the selected nodes are.
void nudgeSelected(const EditedCanvas& canvas, const QPointF& by);
[[nodiscard]] bool isSelectionPinned(const EditedCanvas& canvas);
void togglePinOfSelected(const EditedCanvas& canvas); // a pinned node is left where it is by arranging
void alignSelected(const EditedCanvas& canvas, Alignment alignment);
// Finds places for all nodes. The answer comes later, and is dropped if the graph has changed by then: `hint`
// is told so.
void arrangeAll(const EditedCanvas& canvas, Arranger& arranger,
                const std::function<void(const QString& text)>& hint);

} // namespace sg::ui
