#include "ui/shell/panel_table.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/panels/outline.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/thread_list.h"
#include "ui/selection/panel_parts.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/problems_panel.h"
#include "ui/state/state_panel.h"
#include "ui/storage/storage_panel.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"

#include <array>
#include <type_traits>

namespace sg::ui {
namespace {

// Panels that ask for nothing are given what they show.
template<typename Panel>
QWidget* made(const PanelParts& parts, CanvasPanel&, QWidget* parent)
{
    if constexpr (std::is_constructible_v<Panel, const PanelParts&, QWidget*>)
        return new Panel(parts, parent);
    else
        return new Panel(parent);
}

QWidget* inspectorOf(const PanelParts&, CanvasPanel& canvas, QWidget*)
{
    return canvas.inspector();
}

QWidget* paletteOf(const PanelParts&, CanvasPanel&, QWidget* parent)
{
    return new NodePalette(NodePalette::Use::Dock, parent);
}

QWidget* outlineOf(const PanelParts&, CanvasPanel& canvas, QWidget* parent)
{
    return new Outline(canvas.document(), parent);
}

constexpr Qt::DockWidgetArea kLeft = Qt::LeftDockWidgetArea;
constexpr Qt::DockWidgetArea kRight = Qt::RightDockWidgetArea;
constexpr Qt::DockWidgetArea kBottom = Qt::BottomDockWidgetArea;

const std::array kTable{
    PanelRow{ "threadsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Threads"), kLeft, "hourglass", "",
              "checkpoints", made<ThreadList> },
    PanelRow{ "stateDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "State"), kRight, "table", "inspectorDock",
              "timeline", made<StatePanel> },
    PanelRow{ "timelineDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Timeline"), kBottom, "clock", "",
              "timeline", made<TimelinePanel> },
    PanelRow{ "logDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Log"), kBottom, "text", "", "timeline",
              made<LogPanel> },
    PanelRow{ "replayDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Replay"), kBottom, "replay", "",
              "checkpoints", made<ReplayPanel> },
    PanelRow{ "sessionDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Session"), kBottom, "chip", "logDock",
              "sessions", made<SessionPanel> },
    PanelRow{ "filesDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Files"), kBottom, "folder", "sessionDock",
              "checkpoints", made<FilesPanel> },
    PanelRow{ "artifactsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Artifacts"), kBottom, "image",
              "filesDock", "artifacts", made<ArtifactsPanel> },
    PanelRow{ "terminalDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Terminal"), kBottom, "terminal",
              "artifactsDock", "sessions", made<TerminalPanel> },
    PanelRow{ "problemsDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Problems"), kBottom, "warn",
              "terminalDock", "troubleshooting", made<ProblemsPanel> },
    PanelRow{ "variablesDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Variables"), kBottom, "python",
              "problemsDock", "checkpoints", made<VariablesPanel>, true },
    PanelRow{ "storageDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Storage"), kBottom, "dataset",
              "variablesDock", "artifacts", made<StoragePanel>, true },
    PanelRow{ "inspectorDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Inspector"), kRight, "gear", "",
              "editor", inspectorOf },
    PanelRow{ "inboxDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Inbox"), kRight, "inbox", "stateDock",
              "people", made<InboxPanel> },
    PanelRow{ "usageDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Usage"), kRight, "clock", "inboxDock",
              "timeline", made<UsagePanel> },
    PanelRow{ "paletteDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Palette"), kLeft, "plus", "", "editor",
              paletteOf },
    PanelRow{ "outlineDock", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Outline"), kLeft, "list", "paletteDock",
              "editor", outlineOf },
};

} // namespace

std::span<const PanelRow> panelTable()
{
    return kTable;
}

PanelSet::PanelSet(const PanelParts& parts, CanvasPanel& canvas, QWidget* window)
{
    for (const PanelRow& row : panelTable())
        m_panels.push_back(row.make(parts, canvas, window));
}

} // namespace sg::ui
