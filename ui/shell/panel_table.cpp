#include "ui/pools/pools_panel.h"
#include "ui/shell/panel_table.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/compare/compare_panel.h"
#include "ui/connections/connections_panel.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/panels/outline.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/thread_list.h"
#include "ui/search/search_panel.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/problems_panel.h"
#include "ui/state/state_panel.h"
#include "ui/storage/storage_panel.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/timeline/overview/thread_overview.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"

#include <array>

namespace sg::ui {
namespace {

template<typename Panel>
QWidget* made(const PanelParts&, QWidget* parent)
{
    return new Panel(parent);
}

constexpr Qt::DockWidgetArea kLeft = Qt::LeftDockWidgetArea;
constexpr Qt::DockWidgetArea kRight = Qt::RightDockWidgetArea;
constexpr Qt::DockWidgetArea kBottom = Qt::BottomDockWidgetArea;
constexpr Qt::DockWidgetArea kCentre = Qt::NoDockWidgetArea;

const std::array kTable{
    PanelRow{ "threadsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Threads"), kLeft, "hourglass", "",
              [](const PanelParts& parts, QWidget* parent) -> QWidget* {
                  return new ThreadList(parts.book, parent);
              } },
    PanelRow{ "stateDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "State"), kRight, "table", "inspectorDock",
              made<StatePanel> },
    PanelRow{ "timelineDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Timeline"), kBottom, "clock", "",
              [](const PanelParts& parts, QWidget* parent) -> QWidget* {
                  return new TimelinePanel(parts.history, parent);
              } },
    PanelRow{ "logDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Log"), kBottom, "text", "",
              made<LogPanel> },
    PanelRow{ "replayDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Replay"), kBottom, "replay", "",
              made<ReplayPanel> },
    PanelRow{ "sessionDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Session"), kBottom, "chip", "logDock",
              made<SessionPanel> },
    PanelRow{ "filesDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Files"), kBottom, "folder", "sessionDock",
              made<FilesPanel> },
    PanelRow{ "artifactsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Artifacts"), kBottom, "image",
              "filesDock", made<ArtifactsPanel> },
    PanelRow{ "terminalDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Terminal"), kBottom, "terminal",
              "artifactsDock", made<TerminalPanel> },
    PanelRow{ "problemsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Problems"), kBottom, "warn",
              "terminalDock", made<ProblemsPanel> },
    PanelRow{ "variablesDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Variables"), kBottom, "python",
              "problemsDock", made<VariablesPanel>, true },
    PanelRow{ "storageDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Storage"), kBottom, "dataset",
              "variablesDock", made<StoragePanel>, true },
    PanelRow{ "compareDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Compare"), kCentre, "", "",
              made<ComparePanel> },
    PanelRow{ "overviewDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Overview"), kCentre, "", "",
              made<ThreadOverview> },
    PanelRow{ "connectionsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Connections"), kCentre, "", "",
              made<ConnectionsPanel> },
    PanelRow{ "poolsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Pools"), kCentre, "", "",
              made<PoolsPanel> },
    PanelRow{ "searchDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Search"), kCentre, "", "",
              made<SearchPanel> },
    PanelRow{ "inspectorDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Inspector"), kRight, "gear", "",
              [](const PanelParts& parts, QWidget*) -> QWidget* { return parts.canvas.inspector(); } },
    PanelRow{ "inboxDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Inbox"), kRight, "inbox", "stateDock",
              made<InboxPanel> },
    PanelRow{ "usageDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Usage"), kRight, "clock", "inboxDock",
              made<UsagePanel> },
    PanelRow{ "paletteDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Palette"), kLeft, "plus", "",
              [](const PanelParts&, QWidget* parent) -> QWidget* {
                  return new NodePalette(NodePalette::Use::Dock, parent);
              } },
    PanelRow{ "outlineDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Outline"), kLeft, "list", "paletteDock",
              [](const PanelParts& parts, QWidget* parent) -> QWidget* {
                  return new Outline(parts.canvas.document(), parent);
              } },
};

} // namespace

std::span<const PanelRow> panelTable()
{
    return kTable;
}

PanelSet::PanelSet(const PanelParts& parts, QWidget* window)
{
    for (const PanelRow& row : panelTable()) {
        m_panels.push_back(row.make(parts, window));
        if (row.area == kCentre) // until it is opened
            m_panels.back()->hide();
    }
}

} // namespace sg::ui
