#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

// What ran inside of tasks, below the lanes of the timeline and on the canvas.
class NestedPart : public WindowPart {
    Q_OBJECT
public:
    explicit NestedPart(const WindowParts& parts);
};

} // namespace sg::ui
