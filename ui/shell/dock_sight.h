#pragma once

#include <QDockWidget>

namespace sg::ui {

// Whether a dock is seen at all: docks behind another tab are shown, too, at a place outside of the window.
// visibleRegion() would not do, since it leaves out what an opaque panel covers of its dock.
inline bool isInFront(const QDockWidget& dock)
{
    return dock.isVisible()
        && (dock.isFloating() || dock.parentWidget()->rect().intersects(dock.geometry()));
}

} // namespace sg::ui
