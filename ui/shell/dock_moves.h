#pragma once

#include <QList>
#include <QMap>
#include <QObject>
#include <QPointer>

class QAction;
class QDockWidget;
class QMainWindow;
class QTabBar;
class QWidget;

namespace sg::ui {

class DockRails;

// The verbs that move a dock: to a side, beside its neighbours, into a window of its own and back. They act
// on the dock that has the keyboard, or on the one whose tab or title was clicked. A dock behind or before
// others has its name on its tab, any other one a title with the same verbs.
class DockMoves : public QObject {
    Q_OBJECT
public:
    DockMoves(QMainWindow& window, QList<QDockWidget*> docks, DockRails& rails);

    [[nodiscard]] const QList<QAction*>& actions() const { return m_actions; }
    void moveTo(QDockWidget* dock, Qt::DockWidgetArea area); // a tab of what stands there
    // Moves a dock out of its tabs: to the right of them below the canvas, below them at the sides.
    void split(QDockWidget* dock);
    void tearOff(QDockWidget* dock);
    void putBack(QDockWidget* dock);
    void showTitles(); // now; else soon after docks have moved

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // context menus of tabs and titles

private:
    void createActions();
    void showTitlesSoon();
    void updateActions();
    void openMenu(const QPoint& at, QDockWidget* dock);
    [[nodiscard]] QDockWidget* target() const; // null: none has the keyboard
    [[nodiscard]] QDockWidget* dockOfTab(const QTabBar& tabs, int tab) const;
    [[nodiscard]] QDockWidget* dockAt(const QPoint& place) const; // of the window
    [[nodiscard]] QList<QDockWidget*> tabsOf(QDockWidget* dock) const; // that are not hidden, itself first

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    DockRails& m_rails;
    QList<QAction*> m_actions;
    QMap<QDockWidget*, QWidget*> m_blank; // titles of docks that have tabs
    QPointer<QDockWidget> m_focused; // the last one that had the keyboard
    QPointer<QDockWidget> m_clicked; // while its menu is open
    bool m_isSoon = false;
};

} // namespace sg::ui
