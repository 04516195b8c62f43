#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

class RawView;
class StatePanel;

// The bytes of values as they stand in the database.
class RawPart : public WindowPart {
    Q_OBJECT
public:
    RawPart(const WindowParts& parts, StatePanel& state);

    [[nodiscard]] QAction* showAction() const { return m_showRaw; }

private:
    void showVerb(); // whether there is something to show
    [[nodiscard]] QString rawCheckpoint() const; // whose bytes are meant; empty: there is none

    StatePanel* const m_state;
    QAction* m_showRaw;
    RawView* m_raw = nullptr;
};

} // namespace sg::ui
