#include "ui/shell/dock_layout.h"

#include "ui/shell/dock_arrangement.h"
#include "ui/shell/dock_moves.h"
#include "ui/shell/dock_rails.h"
#include "ui/shell/more_panels.h"
#include "ui/shell/panel_table.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/sight.h"
#include "ui/widgets/tab_count.h"

#include <QAction>
#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QIODevice>
#include <QLayout>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kVersion = 12; // of the docks
constexpr qint32 kSaved = 0x53474434; // starts what save() returns
constexpr int kMostOfTimeline = 40; // percent of the window's height
// Percent of the window's width that each side gets where documents come to be seen.
constexpr int kLeftBesideCentre = 30;
constexpr int kRightBesideCentre = 24;
constexpr int kRounding = 4; // pixels that a dock may miss of what it was given
constexpr const char* kKeys[] = { "build", "debug", "session", "review" }; // settings name them

QString keyOf(DockLayout::Layout layout)
{
    return QLatin1String(kKeys[static_cast<int>(layout)]);
}

QString keyOfOwn(const QString& name)
{
    return QLatin1String("own/") + name;
}

bool isOwn(const QString& key)
{
    return key.startsWith(QLatin1String("own/"));
}

} // namespace

DockLayout::DockLayout(QMainWindow& window, std::span<const PanelRow> rows,
                       const std::vector<QWidget*>& panels)
    : QObject(&window)
    , m_window(window)
    , m_size(window.size())
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        add(rows[i], panels[i]);
    m_timeline = dock("timelineDock");
    m_log = dock("logDock");
    m_replay = dock("replayDock");
    // The shared ruler is always there, and the preview comes and goes: both have titles of their own.
    for (QDockWidget* fixed : { m_timeline, m_replay }) {
        fixed->setFeatures(QDockWidget::NoDockWidgetFeatures);
        fixed->setTitleBarWidget(new QWidget(fixed));
    }
    place(rows);
    QList<QDockWidget*> rare;
    for (const PanelRow& row : rows)
        if (row.isRare)
            rare << dock(row.name);
    QList<QDockWidget*> movable = m_docks;
    movable.removeOne(m_timeline);
    movable.removeOne(m_replay);
    m_rails = new DockRails(window, movable);
    m_moves = new DockMoves(window, movable, *m_rails);
    m_moves->showTitles();
    m_more = new MorePanels(window, *m_log, rare);
    // The docks stood side by side before they became tabs, and so made the window wider than it is to be.
    window.layout()->activate();
    window.resize(m_size);
    m_first = window.saveState(kVersion);
    m_key = keyOf(Layout::Debug);
    forgetLeft();
    m_window.installEventFilter(this);
}

QDockWidget* DockLayout::dock(const char* name) const
{
    const auto found = std::ranges::find_if(
        m_docks, [name](const QDockWidget* each) { return each->objectName() == QLatin1String(name); });
    return found == m_docks.end() ? nullptr : *found;
}

// Docks are placed side by side first, then the tabs: each behind the dock that it is a tab of.
void DockLayout::place(std::span<const PanelRow> rows)
{
    m_window.splitDockWidget(m_timeline, m_replay, Qt::Vertical);
    m_window.splitDockWidget(m_replay, m_log, Qt::Vertical);
    m_replay->hide();
    QList<QDockWidget*> placed;
    const std::function<void(const PanelRow&)> placeTab = [&](const PanelRow& row) {
        QDockWidget* one = dock(row.name);
        if (one == nullptr || placed.contains(one))
            return;
        placed << one;
        QDockWidget* beside = dock(row.beside);
        if (beside == nullptr)
            return;
        for (const PanelRow& other : rows)
            if (beside == dock(other.name))
                placeTab(other);
        m_window.tabifyDockWidget(beside, one);
    };
    for (const PanelRow& row : rows)
        placeTab(row);
    for (QDockWidget* front : { dock("paletteDock"), m_log, dock("stateDock") })
        front->raise();
}

void DockLayout::add(const PanelRow& row, QWidget* panel)
{
    // Docks side by side grow and shrink by the same share only if all of them want to grow.
    panel->setSizePolicy(QSizePolicy::Expanding, panel->sizePolicy().verticalPolicy());
    auto* dock = new QDockWidget(tr(row.title), &m_window);
    dock->setObjectName(QLatin1String(row.name));
    dock->setWidget(panel);
    dock->setWindowIcon(icon(QLatin1String(row.icon)));
    dock->toggleViewAction()->setIcon(dock->windowIcon());
    dock->toggleViewAction()->setObjectName(QStringLiteral("window.")
                                            + QString::fromLatin1(row.title).toLower());
    m_window.addDockWidget(row.area, dock);
    m_docks.push_back(dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, panel](bool isSeen) {
        if (isSeen)
            Q_EMIT cameToBeSeen(panel);
        Q_EMIT sightChanged(panel);
    });
}

void DockLayout::restore(const QByteArray& saved)
{
    QDataStream in(saved);
    qint32 sign = 0;
    QString key;
    in >> sign;
    if (sign == kSaved)
        in >> key >> m_left >> m_own;
    const bool isKnown = sign == kSaved && in.status() == QDataStream::Ok && m_left.contains(key);
    if (!isKnown) {
        m_own.clear();
        forgetLeft();
    }
    m_key = isKnown ? key : keyOf(Layout::Debug);
    showLeft();
    Q_EMIT layoutChanged();
}

// Shows the layout as the user left it. While there are no docks it is only noted: hidden docks lose the
// sizes that they are given.
void DockLayout::showLeft()
{
    Q_EMIT foldWanted(left().isTimelineFolded);
    const LayoutState wanted = left();
    if (m_bare) {
        m_bare = wanted.docks;
        return;
    }
    const QPointer<QWidget> focused = m_window.focusWidget();
    setCentreShown(wanted.hasCentre);
    m_timeline->setMaximumHeight(QWIDGETSIZE_MAX); // the layout before may have left it low
    if (wanted.docks.isEmpty() || !m_window.restoreState(wanted.docks, kVersion))
        arrange();
    m_rails->setFolded(left().folded);
    m_replay->hide();
    m_moves->showTitles();
    m_window.layout()->activate();
    fitTimeline(m_timelineWants);
    takeSizesOf(wanted);
    // A panel that goes passes the focus on to whatever comes next.
    if (focused && m_window.focusWidget() != focused)
        (focused->isVisible() ? focused.data() : m_timeline->widget())->setFocus(Qt::OtherFocusReason);
}

// Undoes what other layouts and a window of another size did to the docks' sizes.
void DockLayout::takeSizesOf(const LayoutState& state)
{
    if (state.window.isEmpty())
        return;
    QDockWidget* below = belowTimeline();
    if (below != nullptr && state.below > 0)
        m_window.resizeDocks(
            { m_timeline, below },
            { m_timeline->height(), state.below * m_window.height() / state.window.height() }, Qt::Vertical);
    if (state.window.width() == m_window.width())
        return;
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (const Qt::DockWidgetArea side : { Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea })
        if (QDockWidget* dock = seenAt(side); dock != nullptr) {
            docks << dock;
            widths << dock->width() * m_window.width() / state.window.width();
        }
    m_window.resizeDocks(docks, widths, Qt::Horizontal);
}

QDockWidget* DockLayout::seenAt(Qt::DockWidgetArea area) const
{
    const auto found = std::ranges::find_if(m_docks, [this, area](QDockWidget* dock) {
        return dock != m_timeline && m_window.dockWidgetArea(dock) == area && isInFront(*dock);
    });
    return found == m_docks.end() ? nullptr : *found;
}

QDockWidget* DockLayout::belowTimeline() const
{
    return seenAt(Qt::BottomDockWidgetArea);
}

void DockLayout::forgetLeft()
{
    m_left.clear();
    for (const Layout layout : { Layout::Build, Layout::Debug, Layout::Session, Layout::Review })
        m_left[keyOf(layout)].isTimelineFolded = layout != Layout::Debug; // the others need the room
    m_left[keyOf(Layout::Session)].hasCentre = false;
}

void DockLayout::keepLeft()
{
    left().docks = m_bare ? *m_bare : m_window.saveState(kVersion);
    if (m_bare)
        return;
    left().folded = m_rails->folded();
    left().window = m_window.size();
    const QDockWidget* below = belowTimeline();
    left().below = below != nullptr ? below->height() : 0;
}

QByteArray DockLayout::save()
{
    showPreview(false);
    keepLeft();
    QByteArray saved;
    QDataStream out(&saved, QIODevice::WriteOnly);
    out << kSaved << m_key << m_left << m_own;
    return saved;
}

void DockLayout::reset()
{
    m_covered.clear();
    if (isOwn(m_key)) {
        left() = m_own.value(ownLayout());
    } else {
        const auto kept = std::exchange(m_left, {});
        forgetLeft(); // how all of them are at first
        const LayoutState first = left();
        m_left = kept;
        left() = first;
    }
    showLeft();
    Q_EMIT layoutChanged();
}

void DockLayout::setBare(bool isBare)
{
    if (isBare == m_bare.has_value())
        return;
    if (!isBare) {
        left().docks = *std::exchange(m_bare, std::nullopt);
        showLeft();
        return;
    }
    showPreview(false);
    keepLeft();
    m_bare = left().docks;
    for (QDockWidget* dock : m_docks)
        dock->hide();
    m_rails->hide();
    setCentreShown(true);
}

std::optional<DockLayout::Layout> DockLayout::layout() const
{
    for (const Layout layout : { Layout::Build, Layout::Debug, Layout::Session, Layout::Review })
        if (keyOf(layout) == m_key)
            return layout;
    return std::nullopt;
}

QString DockLayout::ownLayout() const
{
    return isOwn(m_key) ? m_key.mid(keyOfOwn({}).size()) : QString();
}

void DockLayout::show(Layout layout)
{
    showKey(keyOf(layout));
}

void DockLayout::showOwn(const QString& name)
{
    if (m_own.contains(name))
        showKey(keyOfOwn(name));
}

void DockLayout::showKey(const QString& key)
{
    if (key == m_key)
        return;
    showPreview(false);
    keepLeft();
    m_key = key;
    showLeft();
    Q_EMIT layoutChanged();
}

void DockLayout::saveAs(const QString& name)
{
    showPreview(false);
    keepLeft();
    const LayoutState now = left();
    m_own[name] = now;
    m_key = keyOfOwn(name);
    m_left[m_key] = now;
    Q_EMIT layoutChanged();
}

void DockLayout::removeOwn(const QString& name)
{
    if (ownLayout() == name)
        show(Layout::Debug);
    m_left.remove(keyOfOwn(name));
    m_own.remove(name);
    Q_EMIT layoutChanged();
}

void DockLayout::arrange()
{
    m_rails->setFolded({});
    m_window.restoreState(m_first, kVersion);
    DockArranger(m_window, m_docks, m_more->docks())
        .arrange(layout().value_or(Layout::Debug), mostOfTimeline());
}

void DockLayout::setCentreShown(bool isShown)
{
    m_window.centralWidget()->setVisible(isShown);
}

void DockLayout::showCentre()
{
    if (m_bare || left().hasCentre)
        return;
    left().hasCentre = true;
    setCentreShown(true);
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (const auto& [side, share] : { std::pair(Qt::LeftDockWidgetArea, kLeftBesideCentre),
                                       std::pair(Qt::RightDockWidgetArea, kRightBesideCentre) })
        if (QDockWidget* dock = seenAt(side); dock != nullptr) {
            docks << dock;
            widths << m_window.width() * share / 100;
        }
    m_window.resizeDocks(docks, widths, Qt::Horizontal);
}

int DockLayout::mostOfTimeline() const
{
    const int least = m_timeline->minimumSizeHint().height();
    return std::min(m_timelineWants, std::max(least, m_window.height() * kMostOfTimeline / 100));
}

void DockLayout::fitTimeline(int wantedHeight)
{
    m_timelineWants = wantedHeight;
    const int most = mostOfTimeline();
    m_timeline->setMaximumHeight(most);
    if (!left().isTimelineLowered && !m_bare && m_timeline->isVisible() && m_timeline->height() != most)
        resizeTimeline(most);
}

void DockLayout::setTimelineFolded(bool isFolded)
{
    if (isFolded == left().isTimelineFolded)
        return;
    left().isTimelineFolded = isFolded;
    left().isTimelineLowered = false;
}

void DockLayout::resizeTimeline(int height)
{
    QList<QDockWidget*> docks = { m_timeline, m_log };
    QList<int> heights = { height, m_log->height() };
    // Docks at the sides keep their height against those below them, unless they are told to give it.
    const int more = height - m_timeline->height();
    for (const Qt::DockWidgetArea side : { Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea }) {
        QDockWidget* tallest = nullptr;
        for (QDockWidget* dock : m_docks)
            if (m_window.dockWidgetArea(dock) == side && isSeen(dock->widget())
                && (tallest == nullptr || dock->height() > tallest->height()))
                tallest = dock;
        if (tallest == nullptr)
            continue;
        docks << tallest;
        heights << std::max(1, tallest->height() - more);
    }
    m_window.resizeDocks(docks, heights, Qt::Vertical);
    if (m_timeline->height() == height)
        return;
    // If other docks want more than their share, the timeline gets less than it was given: the window must
    // not grow.
    const int room = m_window.height() - m_window.layout()->totalMinimumSize().height();
    m_timeline->setMinimumHeight(
        std::min(height, m_timeline->minimumSizeHint().height() + std::max(0, room)));
    m_window.layout()->activate();
    m_timeline->setMinimumHeight(0);
}

// The lines between docks belong to the window itself. If the timeline changes its height while one is held,
// the user did it.
bool DockLayout::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_window)
        return QObject::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Resize: QTimer::singleShot(0, this, [this] { fitTimeline(m_timelineWants); }); break;
    case QEvent::MouseButtonPress: m_heldFrom = m_timeline->height(); break;
    case QEvent::MouseButtonRelease:
        if (m_timeline->height() != m_heldFrom)
            left().isTimelineLowered = m_timeline->height() < m_timeline->maximumHeight() - kRounding;
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void DockLayout::toggleArea(Qt::DockWidgetArea area)
{
    if (m_rails->isFolded(area))
        m_rails->unfold(area);
    else
        m_rails->fold(area);
}

QList<QWidget*> DockLayout::seenPanels() const
{
    QList<QWidget*> seen = m_rails->seen();
    for (const QDockWidget* dock : m_docks)
        if (isInFront(*dock))
            seen << dock->widget();
    std::ranges::sort(seen, [](const QWidget* a, const QWidget* b) {
        const QPoint one = a->mapToGlobal(QPoint());
        const QPoint other = b->mapToGlobal(QPoint());
        return std::pair(one.x(), one.y()) < std::pair(other.x(), other.y());
    });
    return seen;
}

QList<QAction*> DockLayout::toggleActions() const
{
    QList<QAction*> actions;
    for (QDockWidget* dock : m_docks)
        if (dock != m_timeline && dock != m_replay)
            actions << dock->toggleViewAction();
    return actions;
}

void DockLayout::showPreview(bool shown)
{
    if (shown == m_replay->isVisible())
        return;
    if (!shown) {
        m_replay->hide();
        for (QDockWidget* dock : m_covered)
            dock->show();
        if (!m_covered.isEmpty()) {
            m_covered.back()->raise();
            m_window.resizeDocks(m_covered, m_coveredWidths, Qt::Horizontal);
        }
        m_covered.clear();
        m_coveredWidths.clear();
        return;
    }
    const int timeline = m_timeline->height();
    const int height = m_log->height();
    QDockWidget* front = nullptr; // of the tabs: the one that is seen comes back in front
    for (QDockWidget* dock : m_docks)
        if (dock != m_timeline && m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea
            && !dock->isHidden() && !dock->isFloating()) {
            if (isInFront(*dock))
                front = dock;
            else
                m_covered.push_back(dock);
        }
    if (front != nullptr)
        m_covered.push_back(front);
    for (const QDockWidget* dock : m_covered) // tabs that are not seen have no width of their own
        m_coveredWidths << (front == nullptr ? dock->width() : front->width());
    for (QDockWidget* dock : m_covered) // first: a small window has no room for both, and would grow
        dock->hide();
    m_replay->show();
    m_window.resizeDocks({ m_timeline, m_replay }, { timeline, std::max(height, scaledLength(250)) },
                         Qt::Vertical);
}

QWidget* DockLayout::showTitled(const QString& title)
{
    for (QDockWidget* dock : m_docks)
        if (dock->windowTitle() == title) {
            showDock(dock);
            return dock->widget();
        }
    return nullptr;
}

void DockLayout::setCount(const QWidget* panel, int count, Badge::Kind kind)
{
    for (QDockWidget* dock : m_docks)
        if (dock->widget() == panel) {
            dock->setWindowTitle(tabText(m_window, withoutCount(dock->windowTitle()), count, kind));
            m_rails->setCount(dock, count, kind);
        }
}

void DockLayout::showDock(QDockWidget* dock)
{
    m_rails->showAll(dock);
    dock->show();
    dock->raise();
}

void DockLayout::raise(const QWidget* panel)
{
    for (QDockWidget* dock : m_docks)
        if (dock->widget() == panel)
            showDock(dock);
}

bool DockLayout::isSeen(const QWidget* panel) const
{
    return std::ranges::any_of(
        m_docks, [panel](const QDockWidget* dock) { return dock->widget() == panel && isInFront(*dock); });
}

} // namespace sg::ui
