#include "ui/shell/dock_arrangement.h"

#include "ui/widgets/fonts.h"

#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kNarrow = 1400; // below, the side docks are smaller
constexpr int kLow = 800; // below, fewer docks stand above one another

} // namespace

DockArranger::DockArranger(QMainWindow& window, const QList<QDockWidget*>& docks,
                           const QList<QDockWidget*>& rare)
    : m_window(window)
    , m_docks(docks)
    , m_rare(rare)
{
}

void DockArranger::arrange(DockLayout::Layout layout, int timelineHeight) const
{
    for (QDockWidget* rare : m_rare)
        rare->hide();
    using Layout = DockLayout::Layout;
    switch (layout) {
    case Layout::Build: arrangeBuild(); break;
    case Layout::Debug: arrangeDebug(); break;
    case Layout::Session: arrangeSession(); break;
    case Layout::Review: arrangeReview(); break;
    }
    const bool isLow = m_window.height() < kLow; // then the graph needs what the log can do without
    const int percent = isLow ? 16 : layout == Layout::Debug ? 26 : layout == Layout::Build ? 16 : 21;
    const int below =
        std::clamp(m_window.height() * percent / 100, scaledLength(isLow ? 110 : 160), scaledLength(300));
    setBelow(timelineHeight, below);
    if (layout == Layout::Session) // no document keeps those below from taking what they are not given
        m_window.resizeDocks({ dock("sessionDock"), dock("logDock") },
                             { std::max(1, m_window.height() - timelineHeight - below), below },
                             Qt::Vertical);
}

QDockWidget* DockArranger::dock(const char* name) const
{
    const auto found = std::ranges::find_if(
        m_docks, [name](const QDockWidget* each) { return each->objectName() == QLatin1String(name); });
    Q_ASSERT(found != m_docks.end());
    return *found;
}

void DockArranger::hide(std::initializer_list<const char*> names) const
{
    for (const char* name : names)
        dock(name)->hide();
}

void DockArranger::stack(Qt::DockWidgetArea area,
                         std::initializer_list<std::initializer_list<const char*>> groups) const
{
    for (const std::initializer_list<const char*>& group : groups) {
        QDockWidget* first = dock(*group.begin());
        m_window.addDockWidget(area, first, Qt::Vertical); // out of its tabs, at the end of the side
        for (const char* other : group)
            if (dock(other) != first)
                m_window.tabifyDockWidget(first, dock(other));
        first->raise();
    }
}

void DockArranger::setWidths(const char* left, int leftWidth, const char* right, int rightWidth) const
{
    m_window.resizeDocks({ dock(left), dock(right) }, { leftWidth, rightWidth }, Qt::Horizontal);
}

void DockArranger::setBelow(int timeline, int below) const
{
    m_window.resizeDocks({ dock("timelineDock"), dock("logDock") }, { timeline, below }, Qt::Vertical);
}

// Palette above outline, the inspector at the right, problems below.
void DockArranger::arrangeBuild() const
{
    const bool isNarrow = m_window.width() < kNarrow;
    hide({ "threadsDock" });
    stack(Qt::LeftDockWidgetArea, { { "paletteDock" }, { "outlineDock" } });
    dock("inspectorDock")->raise();
    dock("problemsDock")->raise();
    setWidths("paletteDock", scaledLength(isNarrow ? 200 : 232), "inspectorDock",
              scaledLength(isNarrow ? 340 : 380));
    m_window.resizeDocks({ dock("paletteDock"), dock("outlineDock") }, { 3, 2 }, Qt::Vertical);
}

void DockArranger::arrangeDebug() const
{
    const bool isNarrow = m_window.width() < kNarrow;
    if (m_window.height() < kLow) // the timeline needs the height that they would take at the side
        hide({ "paletteDock", "outlineDock" });
    dock("stateDock")->raise();
    dock("logDock")->raise();
    setWidths("threadsDock", scaledLength(isNarrow ? 200 : 232), "stateDock",
              scaledLength(isNarrow ? 340 : 380));
}

// No documents: sessions and their meters have the width, files above the terminal at the right.
void DockArranger::arrangeSession() const
{
    // The right side's docks become tabs beside the files; they move first, or the window would grow for a
    // moment.
    hide({ "threadsDock", "paletteDock", "outlineDock", "inspectorDock", "stateDock", "usageDock" });
    stack(Qt::LeftDockWidgetArea, { { "sessionDock" } });
    stack(Qt::RightDockWidgetArea,
          { { "filesDock", "artifactsDock", "inboxDock", "stateDock", "inspectorDock", "usageDock" },
            { "terminalDock" } });
    dock("filesDock")->raise();
    dock("logDock")->raise();
    const int left = m_window.width() * 62 / 100;
    setWidths("sessionDock", left, "filesDock", m_window.width() - left);
    m_window.resizeDocks({ dock("filesDock"), dock("terminalDock") }, { 1, 1 }, Qt::Vertical);
}

// Results stand at the left, what is compared and read in the middle, open questions at the right.
void DockArranger::arrangeReview() const
{
    hide({ "threadsDock", "paletteDock", "outlineDock", "sessionDock", "filesDock", "terminalDock" });
    stack(Qt::LeftDockWidgetArea, { { "artifactsDock" } });
    dock("inboxDock")->raise();
    dock("logDock")->raise();
    setWidths("artifactsDock", m_window.width() * 26 / 100, "inboxDock", m_window.width() * 25 / 100);
}

} // namespace sg::ui
