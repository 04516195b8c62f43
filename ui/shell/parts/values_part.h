#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

class ReplayPanel;
class StatePanel;

// The values of the selected checkpoint: where they came from, and what they are compared with.
class ValuesPart : public WindowPart {
    Q_OBJECT
public:
    ValuesPart(const WindowParts& parts, StatePanel& state, ReplayPanel& replay);

    [[nodiscard]] QAction* compareAction() const { return m_compare; }

private:
    void compareWith(bool current); // the step that is looked at now; else each with its parent
    void followSelection();
    void connectOrigins();
    void showBase();
    void loadState();

    StatePanel* const m_state;
    ReplayPanel* const m_replay;
    QAction* m_compare;
    bool m_wantsOrigin = false; // a value's origin is asked for, not its history
};

} // namespace sg::ui
