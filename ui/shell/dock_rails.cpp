#include "ui/shell/dock_rails.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/sight.h"
#include "ui/widgets/tab_count.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kRailWidth = 36; // of the rail, and the height of each button
constexpr int kIcon = 16;

// An icon with the count of its panel at the upper right corner.
class RailButton : public QToolButton {
public:
    RailButton(const QDockWidget& dock, QWidget* parent)
        : QToolButton(parent)
    {
        const QString title = withoutCount(dock.windowTitle());
        setIcon(dock.windowIcon());
        setIconSize(QSize(scaledLength(kIcon), scaledLength(kIcon)));
        setFixedSize(scaledLength(kRailWidth), scaledLength(kRailWidth));
        setAutoRaise(true);
        setFocusPolicy(Qt::TabFocus);
        setToolTip(title);
        setAccessibleName(dock.windowTitle());
    }
    void setCount(int count, Badge::Kind kind)
    {
        m_count = count;
        m_kind = kind;
        update();
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QToolButton::paintEvent(event);
        if (m_count == 0)
            return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintBadge(painter, badgeText(m_count), m_kind, width() - 2, 11);
    }

private:
    int m_count = 0;
    Badge::Kind m_kind = Badge::Kind::Quiet;
};

// A rail has the window's own colour, and a line towards the canvas.
class RailWidget : public QWidget {
public:
    RailWidget(bool isLeft, QWidget* parent)
        : QWidget(parent)
        , m_isLeft(isLeft)
    {
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), color(&Tokens::window));
        painter.fillRect(QRect(m_isLeft ? width() - 1 : 0, 0, 1, height()), color(&Tokens::border));
    }

private:
    bool m_isLeft;
};

} // namespace

DockRails::DockRails(QMainWindow& window, QList<QDockWidget*> docks)
    : QObject(&window)
    , m_window(window)
    , m_docks(std::move(docks))
{
    m_rails[Qt::LeftDockWidgetArea] =
        makeRail(Qt::LeftDockWidgetArea, "leftRail", tr("Folded panels at the left"));
    m_rails[Qt::RightDockWidgetArea] =
        makeRail(Qt::RightDockWidgetArea, "rightRail", tr("Folded panels at the right"));
    for (QDockWidget* dock : std::as_const(m_docks))
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isSeen) {
            if (isSeen && !m_isMoving)
                unfoldSoon(dock);
        });
}

DockRails::Rail DockRails::makeRail(Qt::DockWidgetArea area, const char* name, const QString& title)
{
    Rail rail;
    rail.dock = new QDockWidget(title, &m_window);
    rail.dock->setObjectName(QLatin1String(name));
    rail.dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    rail.dock->setTitleBarWidget(new QWidget(rail.dock));
    auto* widget = new RailWidget(area == Qt::LeftDockWidgetArea, rail.dock);
    widget->setAccessibleName(title);
    widget->setFixedWidth(scaledLength(kRailWidth));
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(0);
    rail.buttons = new QVBoxLayout;
    rail.buttons->setSpacing(0);
    column->addLayout(rail.buttons);
    column->addStretch(1);
    rail.dock->setWidget(widget);
    m_window.addDockWidget(area, rail.dock);
    rail.dock->hide();
    rail.dock->toggleViewAction()->setEnabled(false);
    rail.dock->toggleViewAction()->setVisible(false);
    return rail;
}

QList<QDockWidget*> DockRails::docksOf(Qt::DockWidgetArea area) const
{
    QList<QDockWidget*> found;
    for (const QString& name : m_folded.value(area).docks)
        for (QDockWidget* dock : m_docks)
            if (dock->objectName() == name)
                found << dock;
    return found;
}

void DockRails::fold(Qt::DockWidgetArea area)
{
    QList<QDockWidget*> shown;
    for (QDockWidget* dock : m_docks)
        if (m_window.dockWidgetArea(dock) == area && !dock->isHidden() && !dock->isFloating())
            shown << dock;
    if (shown.isEmpty() || isFolded(area))
        return;
    // The one in front of its tabs comes last, so that it is in front again.
    std::stable_partition(shown.begin(), shown.end(),
                          [](const QDockWidget* dock) { return !isInFront(*dock); });
    FoldedSide side;
    side.width = shown.back()->width();
    for (QDockWidget* dock : shown)
        side.docks << dock->objectName();
    m_isMoving = true;
    for (QDockWidget* dock : shown)
        dock->hide();
    m_folded[area] = side;
    fill(area);
    placeRail(area, true);
    m_isMoving = false;
}

void DockRails::unfold(Qt::DockWidgetArea area, QDockWidget* front)
{
    if (!isFolded(area))
        return;
    const QList<QDockWidget*> brought = docksOf(area);
    const int width = m_folded.take(area).width;
    m_isMoving = true;
    placeRail(area, false);
    for (QDockWidget* dock : brought) {
        dock->show();
        dock->raise();
    }
    QDockWidget* last = front != nullptr ? front : brought.isEmpty() ? nullptr : brought.back();
    if (last != nullptr) {
        last->show();
        last->raise();
        if (width > 0 && m_rails.contains(area))
            m_window.resizeDocks({ last }, { width }, Qt::Horizontal);
    }
    m_isMoving = false;
}

void DockRails::showAll(const QDockWidget* dock)
{
    for (const int area : m_folded.keys())
        if (m_folded.value(area).docks.contains(dock->objectName()))
            unfold(static_cast<Qt::DockWidgetArea>(area));
}

// This waits for the event loop: the window shows docks one by one while it restores a layout.
void DockRails::unfoldSoon(QDockWidget* shown)
{
    QTimer::singleShot(0, shown, [this, shown] {
        const Qt::DockWidgetArea area = m_window.dockWidgetArea(shown);
        if (isFolded(area) && shown->isVisible() && !shown->isFloating())
            unfold(area, shown);
    });
}

void DockRails::setFolded(const QMap<int, FoldedSide>& folded)
{
    m_folded = folded;
    for (const int area : m_rails.keys()) {
        const auto side = static_cast<Qt::DockWidgetArea>(area);
        fill(side);
        placeRail(side, isFolded(side));
    }
}

void DockRails::hide()
{
    for (const Rail& rail : m_rails)
        rail.dock->hide();
}

void DockRails::placeRail(Qt::DockWidgetArea area, bool isShown)
{
    if (m_rails.contains(area))
        m_rails[area].dock->setVisible(isShown);
}

void DockRails::fill(Qt::DockWidgetArea area)
{
    if (!m_rails.contains(area))
        return;
    QVBoxLayout* buttons = m_rails[area].buttons;
    while (QLayoutItem* item = buttons->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (QDockWidget* dock : m_docks) { // in the order of the Window menu
        if (!m_folded.value(area).docks.contains(dock->objectName()))
            continue;
        auto* button = new RailButton(*dock, m_rails[area].dock->widget());
        button->setCount(m_counts.value(dock).count, m_counts.value(dock).kind);
        connect(button, &QToolButton::clicked, this, [this, area, dock] {
            unfold(area, dock);
            dock->widget()->setFocus(Qt::OtherFocusReason);
        });
        buttons->addWidget(button);
    }
}

void DockRails::setCount(const QDockWidget* dock, int count, Badge::Kind kind)
{
    m_counts[dock] = { count, kind };
    for (const int area : m_rails.keys())
        if (m_folded.value(area).docks.contains(dock->objectName()))
            fill(static_cast<Qt::DockWidgetArea>(area));
}

QList<QWidget*> DockRails::seen() const
{
    QList<QWidget*> rails;
    for (const Rail& rail : m_rails)
        if (rail.dock->isVisible())
            rails << rail.dock->widget();
    return rails;
}

} // namespace sg::ui
