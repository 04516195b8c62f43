#pragma once

#include "ui/shell/dock_layout.h"

#include <QList>

class QDockWidget;
class QMainWindow;

namespace sg::ui {

// Puts docks where they stand in each of the four layouts until the user moves them. Before that they must
// stand as in Debug, all shown. `rare` are the docks that a menu holds until they are wanted.
class DockArranger {
public:
    DockArranger(QMainWindow& window, const QList<QDockWidget*>& docks, const QList<QDockWidget*>& rare);

    void arrange(DockLayout::Layout layout, int timelineHeight) const;

private:
    [[nodiscard]] QDockWidget* dock(const char* name) const;
    void hide(std::initializer_list<const char*> names) const;
    // One above the other from the top of that side: each a dock, or docks as tabs with the first one in
    // front.
    void stack(Qt::DockWidgetArea area,
               std::initializer_list<std::initializer_list<const char*>> groups) const;
    void setWidths(const char* left, int leftWidth, const char* right, int rightWidth) const;
    void setBelow(int timeline, int below) const; // heights

    void arrangeBuild() const;
    void arrangeDebug() const;
    void arrangeSession() const;
    void arrangeReview() const;

    QMainWindow& m_window;
    const QList<QDockWidget*>& m_docks;
    const QList<QDockWidget*>& m_rare;
};

} // namespace sg::ui
