#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;
class QMenu;

namespace sg::ui {

// Wires the expressions that are drawn below the lanes of the timeline.
class Watches : public WindowPart {
    Q_OBJECT
public:
    explicit Watches(const WindowParts& parts);

    void fill(QMenu& menu);

private:
    void addWatch();

    QAction* m_watch;
};

} // namespace sg::ui
