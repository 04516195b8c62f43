#include "ui/shell/more_panels.h"

#include "ui/widgets/sight.h"
#include "ui/widgets/style.h"
#include "ui/widgets/tab_count.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace sg::ui {

MorePanels::MorePanels(QMainWindow& window, QDockWidget& first, QList<QDockWidget*> docks)
    : QObject(&window)
    , m_window(window)
    , m_first(first)
    , m_docks(std::move(docks))
    , m_button(new QToolButton(&window))
    , m_menu(new QMenu(m_button))
{
    m_button->setObjectName(QStringLiteral("morePanels"));
    m_button->setText(tr("More"));
    m_button->setToolTip(tr("Panels that are needed now and then"));
    m_button->setAutoRaise(true);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setMenu(m_menu);
    makeDense(m_button);
    m_button->hide();
    connect(m_menu, &QMenu::aboutToShow, this, &MorePanels::fill);
    for (QDockWidget* dock : std::as_const(m_docks))
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isSeen) {
            if (isSeen)
                leaveOne(dock);
        });
    connect(&m_first, &QDockWidget::dockLocationChanged, this, &MorePanels::placeSoon);
    connect(&m_first, &QDockWidget::visibilityChanged, this, &MorePanels::placeSoon);
    m_first.installEventFilter(this);
    m_window.installEventFilter(this);
}

void MorePanels::fill()
{
    m_menu->clear();
    for (QDockWidget* dock : std::as_const(m_docks)) {
        QAction* action =
            m_menu->addAction(withoutCount(dock->windowTitle()), this, [this, dock] { choose(dock); });
        action->setCheckable(true);
        action->setChecked(!dock->isHidden());
    }
}

void MorePanels::choose(QDockWidget* dock)
{
    if (isInFront(*dock)) {
        dock->hide();
        m_first.raise();
        return;
    }
    dock->show();
    dock->raise();
    dock->widget()->setFocus(Qt::OtherFocusReason);
}

// This waits for the event loop: docks tell of themselves while the window puts all of them in their places.
void MorePanels::leaveOne(QDockWidget* shown)
{
    QTimer::singleShot(0, shown, [this, shown] {
        if (!isInRow(shown) || !isInFront(*shown))
            return;
        for (QDockWidget* dock : std::as_const(m_docks))
            if (dock != shown && isInRow(dock))
                dock->hide();
    });
}

bool MorePanels::isInRow(const QDockWidget* dock) const
{
    return !dock->isHidden()
        && m_window.tabifiedDockWidgets(&m_first).contains(const_cast<QDockWidget*>(dock));
}

// Qt makes and drops these as docks come and go.
QTabBar* MorePanels::row() const
{
    const auto bars = m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
    const auto found = std::ranges::find_if(bars, [this](const QTabBar* bar) {
        for (int tab = 0; tab < bar->count(); ++tab)
            if (bar->tabText(tab) == m_first.windowTitle())
                return bar->isVisible();
        return false;
    });
    return found == bars.end() ? nullptr : *found;
}

void MorePanels::placeSoon()
{
    if (std::exchange(m_isPlacing, true))
        return;
    QTimer::singleShot(0, this, [this] {
        m_isPlacing = false;
        place();
    });
}

void MorePanels::place()
{
    QTabBar* bar = row();
    if (bar != m_watched) {
        if (m_watched)
            m_watched->removeEventFilter(this);
        m_watched = bar;
        if (bar != nullptr)
            bar->installEventFilter(this);
    }
    m_button->setVisible(bar != nullptr);
    if (bar == nullptr)
        return;
    const int width = m_button->sizeHint().width();
    const int behind = bar->count() == 0 ? 0 : bar->tabRect(bar->count() - 1).right() + 1;
    const QPoint at =
        bar->mapTo(&m_window, QPoint(std::clamp(behind, 0, std::max(0, bar->width() - width)), 0));
    const QRect wanted(at, QSize(width, bar->height() - 1));
    if (m_button->geometry() != wanted)
        m_button->setGeometry(wanted);
    m_button->raise();
}

bool MorePanels::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest: placeSoon(); break;
    case QEvent::Paint: // its tabs have changed
        if (watched == m_watched)
            placeSoon();
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace sg::ui
