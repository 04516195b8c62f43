#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

class ConnectionsPanel;

// The page of connections: its client, and the verb that opens it.
class ConnectionsPart : public WindowPart {
    Q_OBJECT
public:
    ConnectionsPart(const WindowParts& parts, ConnectionsPanel& panel);

    [[nodiscard]] QAction* openAction() const { return m_open; }

private:
    ConnectionsPanel* const m_panel;
    QAction* m_open;
};

} // namespace sg::ui
