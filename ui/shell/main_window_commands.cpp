#include "ui/artifacts/artifacts_panel.h"
#include "ui/commands/command_list.h"
#include "ui/commands/quick_button.h"
#include "ui/commands/quick_popup.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/kind_look.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/guide/guide_chapters.h"
#include "ui/guide/guide_window.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/macros.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/artifacts_part.h"
#include "ui/shell/parts/last_project.h"
#include "ui/shell/parts/saving.h"
#include "ui/shell/parts/start_part.h"
#include "ui/start/start_page.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/segmented_control.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>

#include <array>

// Everything by keyboard: commands, places, layouts, the way from panel to panel.
namespace sg::ui {
namespace {

constexpr int kToldMs = 8000;
constexpr std::size_t kMostCheckpoints = 10'000; // that are looked through, the newest
constexpr std::array kLayouts{ DockLayout::Layout::Build, DockLayout::Layout::Debug,
                               DockLayout::Layout::Session, DockLayout::Layout::Review };

QString layoutTitle(DockLayout::Layout layout)
{
    switch (layout) {
    case DockLayout::Layout::Build: return MainWindow::tr("&Build");
    case DockLayout::Layout::Debug: return MainWindow::tr("&Debug");
    case DockLayout::Layout::Session: return MainWindow::tr("&Session");
    case DockLayout::Layout::Review: break;
    }
    return MainWindow::tr("Re&view");
}

QString checkpointTitle(const CheckpointRow& row)
{
    const auto names = [](const QStringList& nodes, const QString& none) {
        return nodes.isEmpty() ? none : nodes.join(QStringLiteral(", "));
    };
    return MainWindow::tr("Step %1, after %2 → %3")
        .arg(row.step)
        .arg(names(row.after, row.source), names(row.next, MainWindow::tr("end")));
}

// The first in there that the keyboard can reach, or itself.
QWidget* focusableIn(QWidget* panel)
{
    if (panel->focusPolicy() & Qt::TabFocus)
        return panel;
    for (QWidget* widget = panel->nextInFocusChain(); widget != nullptr && widget != panel;
         widget = widget->nextInFocusChain())
        if (panel->isAncestorOf(widget) && widget->isVisible() && widget->isEnabled()
            && (widget->focusPolicy() & Qt::TabFocus))
            return widget;
    return nullptr;
}

} // namespace

void MainWindow::createCommands()
{
    m_commands = new CommandList(*menuBar(), this);
    m_macros = new Macros({ *m_commands, *m_selection, *m_runBar, *m_book, *m_history, *m_graph, *m_clients },
                          *this, *statusBar());
    connect(m_saving, &Saving::refused, m_macros, &Macros::noteRefused);
    m_macros->fill(*findChild<QMenu*>(QStringLiteral("toolsMenu")));
    connect(m_macros, &Macros::told, this,
            [this](const QString& text) { statusBar()->showMessage(text, kToldMs); });
    connect(m_macros, &Macros::failed, this, &MainWindow::showError);
    m_commands->adopt();
    m_quick = new QuickPopup(
        *m_commands, [this] { return places(); }, *this);
    connect(m_quick, &QuickPopup::placeChosen, this, &MainWindow::goToPlace);
    const CanvasEditor::Actions& actions = m_graph->view().editor()->actions();
    m_runBar->setEditActions(actions.undo, actions.redo);
}

// The chapter of what has the focus.
void MainWindow::showGuide()
{
    QString panel;
    for (const QWidget* widget = QApplication::focusWidget(); widget != nullptr;
         widget = widget->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(widget) != nullptr)
            panel = widget->objectName();
        else if (widget == m_graph)
            panel = QStringLiteral("canvas");
    }
    auto* guide = findChild<GuideWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (guide == nullptr)
        guide = new GuideWindow(this);
    guide->open(chapterOfPanel(panel));
    guide->show();
    guide->raise();
    guide->activateWindow();
}

void MainWindow::createLayouts(QMenu& menu)
{
    auto* bar = findChild<QToolBar*>(QStringLiteral("toolBar"));
    auto* segments = new SegmentedControl(tr("Layout"), SegmentedControl::Mode::Single, bar);
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < kLayouts.size(); ++i) {
        const DockLayout::Layout layout = kLayouts[i];
        QString plain = layoutTitle(layout);
        plain.remove(QLatin1Char('&'));
        segments->addSegment(plain);
        QAction* action =
            menu.addAction(layoutTitle(layout), m_docks, [this, layout] { m_docks->show(layout); });
        action->setObjectName(QStringLiteral("layout.") + plain.toLower());
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+%1").arg(i + 1)));
        action->setCheckable(true);
        group->addAction(action);
    }
    const auto showLayout = [this, group, segments] {
        const int at = static_cast<int>(m_docks->layout());
        segments->setCurrentIndex(at);
        group->actions().at(at)->setChecked(true);
    };
    connect(m_docks, &DockLayout::layoutChanged, this, showLayout);
    connect(segments, &SegmentedControl::activated, m_docks,
            [this](int index) { m_docks->show(kLayouts[static_cast<std::size_t>(index)]); });
    showLayout();
    bar->addWidget(segments);
    const QKeySequence keys(QStringLiteral("Ctrl+K"));
    auto* search =
        new QuickButton(tr("Go to node, thread, file…"), keys.toString(QKeySequence::NativeText), bar);
    connect(search, &QAbstractButton::clicked, this, [this] { m_quick->showPlaces(); });
    bar->addWidget(search);
}

void MainWindow::createAreas(QMenu& menu)
{
    struct Area {
        QString title;
        Qt::DockWidgetArea area;
    };
    const Area areas[] = { { tr("&Left panels"), Qt::LeftDockWidgetArea },
                           { tr("&Right panels"), Qt::RightDockWidgetArea },
                           { tr("&Bottom panels"), Qt::BottomDockWidgetArea } };
    int number = 0;
    for (const Area& area : areas)
        menu.addAction(area.title, QKeySequence(QStringLiteral("Ctrl+%1").arg(++number)), m_docks,
                       [this, area = area.area] { m_docks->toggleArea(area); });
    menu.addAction(tr("&Next panel"), QKeySequence(QStringLiteral("F6")), this, [this] { cycleFocus(1); });
    menu.addAction(tr("&Previous panel"), QKeySequence(QStringLiteral("Shift+F6")), this,
                   [this] { cycleFocus(-1); });
    menu.addAction(icon(QLatin1String("search")), tr("&Go to…"), QKeySequence(QStringLiteral("Ctrl+K")), this,
                   [this] { m_quick->showPlaces(); });
    menu.addSeparator();
    menu.addAction(tr("Rese&t layout"), m_docks, &DockLayout::reset);
}

void MainWindow::cycleFocus(int by)
{
    QList<QWidget*> stops{ m_runBar };
    stops << (m_pages->currentWidget() == m_start ? static_cast<QWidget*>(m_start)
                                                  : static_cast<QWidget*>(&m_graph->view()));
    stops << m_docks->seenPanels();
    const QWidget* focused = QApplication::focusWidget();
    qsizetype at = 0;
    for (qsizetype i = 0; i < stops.size(); ++i)
        if (focused != nullptr && (stops[i] == focused || stops[i]->isAncestorOf(focused)))
            at = i;
    for (qsizetype tries = 0; tries < stops.size(); ++tries) {
        at = (at + by + stops.size()) % stops.size();
        if (QWidget* next = focusableIn(stops[at])) {
            next->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return;
        }
    }
}

std::vector<QuickItem> MainWindow::places() const
{
    std::vector<QuickItem> found;
    const auto add = [&](const QString& id, const QString& title, const QString& place, const QIcon& sign) {
        found.push_back({ id, title, place, {}, sign, {} });
    };
    for (const graph::Node& node : m_graph->document().graph().nodes)
        add(QStringLiteral("node:") + QString::fromStdString(node.name.value),
            QString::fromStdString(node.name.value), tr("Node"), icon(iconOfKind(node.kind)));
    for (const QString& thread : m_book->threads())
        add(QStringLiteral("thread:") + thread, thread, tr("Thread"), icon(QLatin1String("hourglass")));
    for (QAction* action : m_docks->toggleActions())
        add(QStringLiteral("panel:") + action->text(), action->text(), tr("Panel"),
            icon(QLatin1String("grid")));
    for (const ArtifactRow& artifact : m_artifactsPart->rows())
        add(QStringLiteral("artifact:") + artifact.id, artifact.name, tr("Artifact"),
            icon(QLatin1String("file")));
    const std::vector<CheckpointRow>& rows = m_history->rows().checkpoints;
    std::size_t left = kMostCheckpoints;
    for (auto row = rows.rbegin(); row != rows.rend() && left > 0; ++row, --left)
        add(QStringLiteral("checkpoint:") + row->id, checkpointTitle(*row), tr("Checkpoint"),
            icon(QLatin1String("clock")));
    for (const RecentRow& project : m_startPart->recent())
        add(QStringLiteral("project:") + project.path, project.name, tr("Project"),
            icon(QLatin1String("graph")));
    return found;
}

void MainWindow::goToPlace(const QString& place)
{
    const QString kind = place.section(QLatin1Char(':'), 0, 0);
    const QString name = place.section(QLatin1Char(':'), 1);
    if (kind == QLatin1String("node")) {
        m_selection->setNode(name);
        m_docks->raise(m_graph->inspector());
        m_graph->view().setFocus(Qt::OtherFocusReason);
    } else if (kind == QLatin1String("thread")) {
        m_selection->setThread(name);
    } else if (kind == QLatin1String("checkpoint")) {
        m_history->goTo(name);
    } else if (kind == QLatin1String("artifact")) {
        m_selection->setArtifact(name);
        m_docks->raise(m_artifacts);
    } else if (kind == QLatin1String("project")) {
        openProject(name);
    } else if (kind == QLatin1String("panel")) {
        if (QWidget* panel = m_docks->showTitled(name))
            if (QWidget* inside = focusableIn(panel))
                inside->setFocus(Qt::OtherFocusReason);
    }
}

bool MainWindow::showPanel(const QString& title)
{
    for (const QAction* panel : m_docks->toggleActions())
        if (panel->text().section(QLatin1String(" ("), 0, 0).compare(title, Qt::CaseInsensitive) == 0)
            return m_docks->showTitled(panel->text()) != nullptr;
    return false;
}

void MainWindow::reopenLast()
{
    m_last->reopen();
}

} // namespace sg::ui
