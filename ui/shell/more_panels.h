#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QMainWindow;
class QMenu;
class QTabBar;
class QToolButton;

namespace sg::ui {

// "More" behind the last tab of a row of docks: a menu of panels that are needed now and then. The one that
// is chosen stands in the row until another one is.
class MorePanels : public QObject {
    Q_OBJECT
public:
    // `first` is always in that row.
    MorePanels(QMainWindow& window, QDockWidget& first, QList<QDockWidget*> docks);

    [[nodiscard]] const QList<QDockWidget*>& docks() const { return m_docks; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // where the row of tabs is

private:
    void fill();
    void choose(QDockWidget* dock);
    void leaveOne(QDockWidget* shown); // those behind it go
    void placeSoon();
    void place();
    [[nodiscard]] QTabBar* row() const; // null: the first dock has no tabs beside it
    [[nodiscard]] bool isInRow(const QDockWidget* dock) const;

    QMainWindow& m_window;
    QDockWidget& m_first;
    QList<QDockWidget*> m_docks;
    QToolButton* m_button;
    QMenu* m_menu;
    QPointer<QTabBar> m_watched;
    bool m_isPlacing = false; // soon
};

} // namespace sg::ui
