#include "ui/shell/dock_layout.h"

#include "ui/shell/more_panels.h"
#include "ui/shell/panel_table.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/tab_count.h"

#include <QAction>
#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QIODevice>
#include <QLayout>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kVersion = 11; // of the docks
constexpr qint32 kSaved = 0x53474432; // starts what save() returns
constexpr int kMostOfTimeline = 40; // percent of the window's height
constexpr int kRounding = 4; // pixels that a dock may miss of what it was given
constexpr int kNarrow = 1400; // below, the side docks are smaller

// What differs from all docks being there; those that a version does not have are passed over.
struct Arrangement {
    DockLayout::Layout layout;
    QStringList hidden;
    QStringList raised;
    int bottomPercent; // of the window's height
};

const Arrangement& arrangementOf(DockLayout::Layout layout)
{
    using Layout = DockLayout::Layout;
    static const auto names = [](const char* text) {
        return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    };
    static const Arrangement all[] = {
        { Layout::Build, names("threadsDock"), names("inspectorDock problemsDock"), 20 },
        { Layout::Debug, {}, names("stateDock logDock"), 26 },
        { Layout::Session, names("paletteDock outlineDock"), names("sessionDock stateDock"), 44 },
        { Layout::Review, names("paletteDock outlineDock sessionDock filesDock terminalDock problemsDock"),
          names("stateDock logDock compareDock artifactsDock"), 40 },
    };
    return all[static_cast<int>(layout)];
}

} // namespace

DockLayout::DockLayout(QMainWindow& window, std::span<const PanelRow> rows,
                       const std::vector<QWidget*>& panels)
    : QObject(&window)
    , m_window(window)
    , m_size(window.size())
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].area != Qt::NoDockWidgetArea)
            add(rows[i], panels[i]);
    m_threads = dock("threadsDock");
    m_state = dock("stateDock");
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
    m_more = new MorePanels(window, *m_log, rare);
    // Side by side, before they became tabs, they had more width than there was.
    window.layout()->activate();
    window.resize(m_size);
    m_first = window.saveState(kVersion);
    forgetLeft();
    m_window.installEventFilter(this);
}

QDockWidget* DockLayout::dock(const char* name) const
{
    const auto found = std::ranges::find_if(
        m_docks, [name](const QDockWidget* each) { return each->objectName() == QLatin1String(name); });
    return found == m_docks.end() ? nullptr : *found;
}

// Docks side by side first, then the tabs: each behind the one that it stands beside.
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
    for (const PanelRow& row : rows) {
        placeTab(row);
        const bool isTab = row.beside[0] != 0 || std::ranges::any_of(rows, [&row](const PanelRow& other) {
                               return QLatin1String(other.beside) == QLatin1String(row.name);
                           });
        if (isTab && dock(row.name) != nullptr) // which names the dock already
            dock(row.name)->setTitleBarWidget(new QWidget(dock(row.name)));
    }
    for (QDockWidget* front : { dock("paletteDock"), m_log, m_state })
        front->raise();
}

void DockLayout::add(const PanelRow& row, QWidget* panel)
{
    // Docks side by side grow and shrink by the same share only if all of them want to grow.
    panel->setSizePolicy(QSizePolicy::Expanding, panel->sizePolicy().verticalPolicy());
    auto* dock = new QDockWidget(tr(row.title), &m_window);
    dock->setObjectName(QLatin1String(row.name));
    dock->setWidget(panel);
    // Not floating: with Qt 6.4 on Wayland a floating dock cannot be dragged back.
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    m_window.addDockWidget(row.area, dock);
    m_docks.push_back(dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, panel](bool isSeen) {
        if (isSeen)
            Q_EMIT cameToBeSeen(panel);
    });
}

void DockLayout::restore(const QByteArray& saved)
{
    QDataStream in(saved);
    qint32 sign = 0;
    qint32 layout = 0;
    in >> sign;
    if (sign == kSaved)
        in >> layout >> m_left >> m_folded >> m_lowered;
    const bool known = sign == kSaved && in.status() == QDataStream::Ok
        && layout >= static_cast<int>(Layout::Build) && layout <= static_cast<int>(Layout::Review);
    if (!known)
        forgetLeft();
    else
        m_layout = static_cast<Layout>(layout);
    showLeft();
    Q_EMIT layoutChanged();
}

// As the user left the layout. While there are no docks they are only noted: sizes given to hidden docks are
// lost.
void DockLayout::showLeft()
{
    const QByteArray left = m_left.value(static_cast<int>(m_layout));
    if (m_bare) {
        m_bare = left;
        return;
    }
    if (left.isEmpty() || !m_window.restoreState(left, kVersion))
        arrange(m_layout);
    m_replay->hide();
    m_window.layout()->activate();
    fitTimeline(m_timelineWants);
}

void DockLayout::forgetLeft()
{
    m_left.clear();
    m_lowered.clear();
    m_folded = { { static_cast<int>(Layout::Build), true } }; // who builds needs the canvas
}

void DockLayout::keepLeft()
{
    m_left[static_cast<int>(m_layout)] = m_bare ? *m_bare : m_window.saveState(kVersion);
}

QByteArray DockLayout::save()
{
    showPreview(false);
    keepLeft();
    QByteArray saved;
    QDataStream out(&saved, QIODevice::WriteOnly);
    out << kSaved << static_cast<qint32>(m_layout) << m_left << m_folded << m_lowered;
    return saved;
}

void DockLayout::reset()
{
    m_covered.clear();
    m_hidden.clear();
    m_left.remove(static_cast<int>(m_layout));
    m_lowered.remove(static_cast<int>(m_layout));
    m_folded[static_cast<int>(m_layout)] = m_layout == Layout::Build;
    showLeft();
    Q_EMIT layoutChanged();
}

void DockLayout::setBare(bool isBare)
{
    if (isBare == m_bare.has_value())
        return;
    if (!isBare) {
        m_left[static_cast<int>(m_layout)] = *std::exchange(m_bare, std::nullopt);
        showLeft();
        return;
    }
    showPreview(false);
    m_bare = m_window.saveState(kVersion);
    for (QDockWidget* dock : m_docks)
        dock->hide();
}

void DockLayout::show(Layout layout)
{
    if (layout == m_layout)
        return;
    showPreview(false);
    keepLeft();
    m_layout = layout;
    m_hidden.clear();
    showLeft();
    Q_EMIT layoutChanged();
}

void DockLayout::arrange(Layout layout)
{
    m_window.restoreState(m_first, kVersion);
    const Arrangement& wanted = arrangementOf(layout);
    for (QDockWidget* dock : m_docks)
        if (wanted.hidden.contains(dock->objectName())
            || (m_more->docks().contains(dock) && !wanted.raised.contains(dock->objectName())))
            dock->hide();
    for (const QString& name : wanted.raised)
        for (QDockWidget* dock : m_docks)
            if (dock->objectName() == name)
                dock->raise();
    setFirstSizes();
}

void DockLayout::setFirstSizes()
{
    const bool narrow = m_window.width() < kNarrow;
    const int side = scaledLength(narrow ? 200 : 232);
    const int state = scaledLength(narrow ? 340 : 380);
    const int percent = arrangementOf(m_layout).bottomPercent;
    const int most =
        m_layout == Layout::Debug || m_layout == Layout::Build ? scaledLength(300) : m_window.height();
    const int log = std::clamp(m_window.height() * percent / 100, scaledLength(160), most);
    m_window.resizeDocks({ m_threads, m_state }, { side, state }, Qt::Horizontal);
    const int timeline = mostOfTimeline();
    m_window.resizeDocks({ m_timeline, m_log }, { timeline, log }, Qt::Vertical);
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
    if (!isTimelineLowered() && !m_bare && m_timeline->isVisible() && m_timeline->height() != most)
        resizeTimeline(most);
}

void DockLayout::setTimelineFolded(bool isFolded)
{
    m_folded[static_cast<int>(m_layout)] = isFolded;
    m_lowered.remove(static_cast<int>(m_layout));
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
    // Where other docks want more than their share, it gets less than it was given. The window stays as it
    // is.
    const int room = m_window.height() - m_window.layout()->totalMinimumSize().height();
    m_timeline->setMinimumHeight(
        std::min(height, m_timeline->minimumSizeHint().height() + std::max(0, room)));
    m_window.layout()->activate();
    m_timeline->setMinimumHeight(0);
}

// The lines between docks belong to the window itself: what happens to the timeline while one is held, the
// user did.
bool DockLayout::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_window)
        return QObject::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Resize: QTimer::singleShot(0, this, [this] { fitTimeline(m_timelineWants); }); break;
    case QEvent::MouseButtonPress: m_heldFrom = m_timeline->height(); break;
    case QEvent::MouseButtonRelease:
        if (m_timeline->height() != m_heldFrom)
            m_lowered[static_cast<int>(m_layout)] =
                m_timeline->height() < m_timeline->maximumHeight() - kRounding;
        break;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void DockLayout::toggleArea(Qt::DockWidgetArea area)
{
    QList<QDockWidget*>& hidden = m_hidden[area];
    QList<QDockWidget*> shown;
    for (QDockWidget* dock : m_docks)
        if (dock != m_timeline && dock != m_replay && m_window.dockWidgetArea(dock) == area
            && !dock->isHidden())
            shown << dock;
    const QList<QDockWidget*> brought = shown.isEmpty() ? std::exchange(hidden, {}) : QList<QDockWidget*>();
    if (!shown.isEmpty()) {
        // the one in front of its tabs comes last, so that it is in front again
        std::stable_partition(shown.begin(), shown.end(),
                              [](const QDockWidget* dock) { return dock->visibleRegion().isEmpty(); });
        hidden = shown;
    }
    for (QDockWidget* dock : shown)
        dock->hide();
    for (QDockWidget* dock : brought) {
        dock->show();
        dock->raise();
    }
}

QList<QWidget*> DockLayout::seenPanels() const
{
    QList<QWidget*> seen;
    for (const QDockWidget* dock : m_docks)
        if (isSeen(dock->widget()))
            seen << dock->widget();
    std::ranges::sort(seen, [this](const QWidget* a, const QWidget* b) {
        const QPoint one = a->mapTo(&m_window, QPoint());
        const QPoint other = b->mapTo(&m_window, QPoint());
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
            && !dock->isHidden()) {
            if (!dock->visibleRegion().isEmpty())
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
            dock->show();
            dock->raise();
            return dock->widget();
        }
    return nullptr;
}

void DockLayout::setCount(const QWidget* panel, int count, Badge::Kind kind)
{
    for (QDockWidget* dock : m_docks)
        if (dock->widget() == panel)
            dock->setWindowTitle(tabText(m_window, withoutCount(dock->windowTitle()), count, kind));
}

void DockLayout::raise(const QWidget* panel)
{
    for (QDockWidget* dock : m_docks)
        if (dock->widget() == panel) {
            dock->show();
            dock->raise();
        }
}

bool DockLayout::isSeen(const QWidget* panel) const
{
    return panel->isVisible() && !panel->visibleRegion().isEmpty();
}

} // namespace sg::ui
