#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

class PoolsPanel;

// The page of pools: its client, and the verb that opens it.
class PoolsPart : public WindowPart {
    Q_OBJECT
public:
    PoolsPart(const WindowParts& parts, PoolsPanel& panel);

    [[nodiscard]] QAction* openAction() const { return m_open; }

private:
    PoolsPanel* const m_panel;
    QAction* m_open;
};

} // namespace sg::ui
