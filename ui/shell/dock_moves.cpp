#include "ui/shell/dock_moves.h"

#include "ui/shell/dock_rails.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/sight.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kDragMs = 100; // until it is asked again whether the mouse still drags

QDockWidget* dockOf(QObject* inside)
{
    for (; inside != nullptr; inside = inside->parent())
        if (auto* dock = qobject_cast<QDockWidget*>(inside))
            return dock;
    return nullptr;
}

Qt::Orientation orientationOf(Qt::DockWidgetArea area)
{
    return area == Qt::BottomDockWidgetArea || area == Qt::TopDockWidgetArea ? Qt::Horizontal : Qt::Vertical;
}

void nameButton(QDockWidget& dock, const char* name, const QString& text)
{
    if (auto* button = dock.findChild<QAbstractButton*>(QLatin1String(name), Qt::FindDirectChildrenOnly)) {
        button->setAccessibleName(text);
        button->setToolTip(text);
    }
}

} // namespace

DockMoves::DockMoves(QMainWindow& window, QList<QDockWidget*> docks, DockRails& rails)
    : QObject(&window)
    , m_window(window)
    , m_docks(std::move(docks))
    , m_rails(rails)
{
    for (QDockWidget* dock : std::as_const(m_docks)) {
        m_blank[dock] = new QWidget(dock);
        m_blank[dock]->hide();
        connect(dock, &QDockWidget::dockLocationChanged, this, &DockMoves::showTitlesSoon);
        connect(dock, &QDockWidget::topLevelChanged, this, &DockMoves::showTitlesSoon);
        connect(dock, &QDockWidget::visibilityChanged, this, &DockMoves::showTitlesSoon);
        dock->installEventFilter(this);
    }
    createActions();
    m_window.installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        QDockWidget* dock = dockOf(now);
        if (auto* tabs = qobject_cast<QTabBar*>(now); tabs != nullptr && tabs->parentWidget() == &m_window)
            dock = dockOfTab(*tabs, tabs->currentIndex());
        if (now != nullptr && now->window() != &m_window && dock == nullptr)
            return; // of another window
        if (now != nullptr)
            m_focused = m_docks.contains(dock) ? dock : nullptr;
        updateActions();
    });
    updateActions();
}

void DockMoves::createActions()
{
    const auto add = [this](const char* id, const QString& text, void (DockMoves::*verb)(QDockWidget*)) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(id));
        connect(action, &QAction::triggered, this, [this, verb] {
            if (QDockWidget* dock = target())
                (this->*verb)(dock);
        });
        m_actions << action;
    };
    const auto addMove = [this](const char* id, const QString& text, Qt::DockWidgetArea area) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(id));
        connect(action, &QAction::triggered, this, [this, area] {
            if (QDockWidget* dock = target())
                moveTo(dock, area);
        });
        m_actions << action;
    };
    addMove("panel.move-left", tr("Move the panel to the &left"), Qt::LeftDockWidgetArea);
    addMove("panel.move-right", tr("Move the panel to the &right"), Qt::RightDockWidgetArea);
    addMove("panel.move-bottom", tr("Move the panel to the &bottom"), Qt::BottomDockWidgetArea);
    add("panel.split", tr("Put the panel be&side its tabs"), &DockMoves::split);
    add("panel.tear-off", tr("Panel in a &window of its own"), &DockMoves::tearOff);
    add("panel.put-back", tr("Put the panel b&ack"), &DockMoves::putBack);
}

QDockWidget* DockMoves::target() const
{
    if (m_clicked)
        return m_clicked;
    return m_focused && m_focused->isVisible() ? m_focused.data() : nullptr;
}

QList<QDockWidget*> DockMoves::tabsOf(QDockWidget* dock) const
{
    QList<QDockWidget*> tabs{ dock };
    if (dock->isFloating())
        return tabs;
    for (QDockWidget* other : m_window.tabifiedDockWidgets(dock))
        if (!other->isHidden() && !other->isFloating())
            tabs << other;
    return tabs;
}

void DockMoves::moveTo(QDockWidget* dock, Qt::DockWidgetArea area)
{
    if (m_rails.isFolded(area))
        m_rails.unfold(area);
    QDockWidget* beside = nullptr;
    for (QDockWidget* other : m_docks)
        if (other != dock && m_window.dockWidgetArea(other) == area && !other->isHidden()
            && !other->isFloating() && (beside == nullptr || !isInFront(*beside)))
            beside = other;
    dock->setFloating(false);
    if (beside != nullptr)
        m_window.tabifyDockWidget(beside, dock);
    else
        m_window.addDockWidget(area, dock);
    dock->show();
    dock->raise();
    showTitlesSoon();
}

// A tab cannot be split, so the first of the tabs becomes a dock of its own, then the dock stands beside it,
// then the other tabs come back to the first.
void DockMoves::split(QDockWidget* dock)
{
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(dock);
    QList<QDockWidget*> others = m_window.tabifiedDockWidgets(dock);
    others.removeOne(dock);
    if (others.isEmpty() || dock->isFloating())
        return;
    QList<QDockWidget*> hidden;
    for (QDockWidget* other : std::as_const(others))
        if (other->isHidden())
            hidden << other;
    const auto seen =
        std::ranges::find_if(others, [](const QDockWidget* other) { return !other->isHidden(); });
    QDockWidget* first = seen == others.end() ? others.front() : *seen;
    others.removeOne(first);
    const QSize size = dock->size();
    m_window.addDockWidget(area, first, Qt::Vertical); // at the end of the side, out of its tabs
    m_window.splitDockWidget(first, dock, orientationOf(area));
    for (QDockWidget* other : others)
        m_window.tabifyDockWidget(first, other);
    for (QDockWidget* other : hidden)
        other->hide();
    if (!first->isHidden())
        first->raise();
    showTitles();
    const bool isRow = orientationOf(area) == Qt::Horizontal;
    const int half = std::max(1, (isRow ? size.width() : size.height()) / 2);
    m_window.resizeDocks({ first, dock }, { half, half }, orientationOf(area));
}

void DockMoves::tearOff(QDockWidget* dock)
{
    const QSize size = dock->size();
    const QPoint at = dock->mapToGlobal(QPoint(24, -24));
    dock->setFloating(true);
    dock->resize(size.expandedTo(QSize(320, 240)));
    dock->move(at);
    dock->show();
    dock->activateWindow();
}

void DockMoves::putBack(QDockWidget* dock)
{
    dock->setFloating(false);
    dock->show();
    dock->raise();
}

void DockMoves::showTitlesSoon()
{
    if (std::exchange(m_isSoon, true))
        return;
    const bool isDragged = QApplication::mouseButtons() != Qt::NoButton; // its title must stay meanwhile
    QTimer::singleShot(isDragged ? kDragMs : 0, this, [this] {
        m_isSoon = false;
        if (QApplication::mouseButtons() != Qt::NoButton)
            showTitlesSoon();
        else
            showTitles();
    });
}

void DockMoves::showTitles()
{
    for (QDockWidget* dock : std::as_const(m_docks)) {
        const bool hasTab =
            dock->isHidden() ? !m_window.tabifiedDockWidgets(dock).isEmpty() : tabsOf(dock).size() > 1;
        QWidget* wanted = hasTab ? m_blank.value(dock) : nullptr;
        if (dock->titleBarWidget() != wanted)
            dock->setTitleBarWidget(wanted);
        nameButton(*dock, "qt_dockwidget_floatbutton",
                   dock->isFloating() ? tr("Put %1 back").arg(dock->windowTitle())
                                      : tr("%1 in a window of its own").arg(dock->windowTitle()));
        nameButton(*dock, "qt_dockwidget_closebutton", tr("Close %1").arg(dock->windowTitle()));
    }
    updateActions();
}

void DockMoves::updateActions()
{
    QDockWidget* dock = target();
    for (QAction* action : std::as_const(m_actions)) {
        bool can = dock != nullptr;
        if (can && action->objectName() == QLatin1String("panel.put-back"))
            can = dock->isFloating();
        else if (can && action->objectName() == QLatin1String("panel.tear-off"))
            can = !dock->isFloating();
        else if (can && action->objectName() == QLatin1String("panel.split"))
            can = tabsOf(dock).size() > 1;
        action->setEnabled(can);
    }
}

QDockWidget* DockMoves::dockOfTab(const QTabBar& tabs, int tab) const
{
    for (QDockWidget* dock : m_docks)
        if (dock->windowTitle() == tabs.tabText(tab) && !dock->isFloating())
            return dock;
    return nullptr;
}

QDockWidget* DockMoves::dockAt(const QPoint& place) const
{
    QWidget* child = m_window.childAt(place);
    if (auto* tabs = qobject_cast<QTabBar*>(child); tabs != nullptr && tabs->parentWidget() == &m_window) {
        return dockOfTab(*tabs, tabs->tabAt(tabs->mapFrom(&m_window, place)));
    }
    QDockWidget* dock = dockOf(child);
    return m_docks.contains(dock) ? dock : nullptr;
}

void DockMoves::openMenu(const QPoint& at, QDockWidget* dock)
{
    auto* menu = new QMenu(&m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_clicked = dock;
    updateActions();
    menu->addActions(m_actions);
    menu->addSeparator();
    QAction* fold = menu->addAction(tr("&Fold the panels of this side"), this,
                                    [this, dock] { m_rails.fold(m_window.dockWidgetArea(dock)); });
    fold->setEnabled(!dock->isFloating());
    menu->addAction(tr("&Close"), dock, &QWidget::hide);
    connect(menu, &QMenu::aboutToHide, this, [this] {
        QTimer::singleShot(0, this, [this] { // what was chosen is heard after it
            m_clicked = nullptr;
            updateActions();
        });
    });
    menu->popup(at);
}

// The window gets the events that tabs, titles and panels do not use.
bool DockMoves::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ContextMenu)
        return QObject::eventFilter(watched, event);
    const auto* asked = static_cast<QContextMenuEvent*>(event);
    auto* dock = qobject_cast<QDockWidget*>(watched);
    if (dock == nullptr)
        dock = dockAt(m_window.mapFromGlobal(asked->globalPos()));
    if (dock == nullptr)
        return QObject::eventFilter(watched, event);
    openMenu(asked->globalPos(), dock);
    return true;
}

} // namespace sg::ui
