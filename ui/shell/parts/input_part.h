#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class CanvasPanel;
class RunBar;

// Wires the form of a run's input: the channels of the graph as it is edited, and what the thread was given
// before.
class InputPart : public WindowPart {
    Q_OBJECT
public:
    InputPart(const WindowParts& parts, CanvasPanel& canvas, RunBar& bar);

private:
    void showFields();
    void loadLast();

    CanvasPanel* const m_canvas;
    RunBar* const m_bar;
};

} // namespace sg::ui
