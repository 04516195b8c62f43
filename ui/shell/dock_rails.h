#pragma once

#include "ui/shell/layout_state.h"
#include "ui/widgets/badge.h"

#include <QList>
#include <QMap>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QToolButton;
class QVBoxLayout;

namespace sg::ui {

// Docks of one side folded away: at the left and the right a rail 36 px wide keeps an icon for each of them,
// which brings all of them back with that one in front. The docks below the canvas fold without a rail.
class DockRails : public QObject {
    Q_OBJECT
public:
    // `docks` are those that can be folded.
    DockRails(QMainWindow& window, QList<QDockWidget*> docks);

    [[nodiscard]] bool isFolded(Qt::DockWidgetArea area) const { return m_folded.contains(area); }
    void fold(Qt::DockWidgetArea area); // nothing where it shows no dock
    void unfold(Qt::DockWidgetArea area, QDockWidget* front = nullptr); // null: the one that was in front
    void showAll(const QDockWidget* dock); // unfolds the side that the dock was folded away with

    // The folded sides. The window's own state must have been restored before, since it hides the docks.
    [[nodiscard]] const QMap<int, FoldedSide>& folded() const { return m_folded; }
    void setFolded(const QMap<int, FoldedSide>& folded);
    void hide(); // the rails, for a page without docks

    void setCount(const QDockWidget* dock, int count, Badge::Kind kind);
    [[nodiscard]] QList<QWidget*> seen() const; // rails

private:
    struct Rail {
        QDockWidget* dock = nullptr;
        QVBoxLayout* buttons = nullptr;
    };
    struct Count {
        int count = 0;
        Badge::Kind kind = Badge::Kind::Quiet;
    };
    Rail makeRail(Qt::DockWidgetArea area, const char* name, const QString& title);
    void fill(Qt::DockWidgetArea area);
    void placeRail(Qt::DockWidgetArea area, bool isShown);
    void unfoldSoon(QDockWidget* shown); // somebody else has shown one of a folded side
    [[nodiscard]] QList<QDockWidget*> docksOf(Qt::DockWidgetArea area) const;

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    QMap<int, Rail> m_rails; // left and right
    QMap<int, FoldedSide> m_folded;
    QMap<const QDockWidget*, Count> m_counts;
    bool m_isMoving = false;
};

} // namespace sg::ui
