#include "ui/code/code_editor.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/quick_fixes.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/panels/outline.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/graph_versions.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/saving.h"
#include "ui/shell/problems_panel.h"
#include "ui/shell/unsaved_edits.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMenu>
#include <QStatusBar>

// The graph in the window is edited, checked and saved.
namespace sg::ui {
namespace {

// A save makes code files that are not there yet: until then their absence stops nobody.
void expectFiles(std::vector<graph::Problem>& problems)
{
    for (graph::Problem& problem : problems)
        if (problem.code == "missing-file") {
            problem.severity = graph::Problem::Severity::Hint;
            problem.message = MainWindow::tr("the code file is made when the graph is saved").toStdString();
        }
}

} // namespace

void MainWindow::connectProblems()
{
    connect(&m_clients->editing, &EditingClient::graphChecked, this,
            [this](const std::vector<graph::Problem>& problems) {
                m_info.problems = problems;
                if (m_saving->edits().isModified())
                    expectFiles(m_info.problems);
                m_graph->setProblems(m_info.problems);
                showProblems();
            });
    connect(m_problems, &ProblemsPanel::activated, this, [this](const graph::Problem& problem) {
        m_graph->select(problem);
        m_docks->raise(m_graph->inspector());
    });
    connect(m_problems, &ProblemsPanel::fixRequested, this, [this](const graph::Problem& problem) {
        m_graph->select(problem); // where it stands
        if (const auto fix = quickFixOf(m_graph->document().graph(), m_graph->shownForm(problem)))
            m_graph->document().editPlaced(fix->title, fix->change);
    });
}

void MainWindow::connectEditing()
{
    m_palette->setEntries(nodeKindEntries());
    connect(m_palette, &NodePalette::chosen, m_graph->view().editor(), &CanvasEditor::addNodeOfKind);
    connect(m_graph->view().editor(), &CanvasEditor::hinted, this,
            [this](const QString& text) { statusBar()->showMessage(text, text.isEmpty() ? 1 : 6000); });
    connect(m_runBar, &RunBar::modeRequested, this, [this] {
        m_docks->raise(m_graph->inspector());
        m_selection->setNode({});
        m_graph->inspector()->showMode();
    });
    connect(m_graph, &CanvasPanel::renameRequested, this, [this] { m_docks->raise(m_graph->inspector()); });
    connectProblems();
    connectOutline();
}

void MainWindow::connectOutline()
{
    connect(m_selection, &Selection::nodeChanged, m_outline, &Outline::setCurrent);
    connect(m_outline, &Outline::chosen, m_selection, &Selection::setNode);
    connect(m_outline, &Outline::noteChosen, this, [this](std::size_t note) {
        m_graph->view().graphScene().setCurrentNote(note);
        m_graph->view().revealNote(note);
    });
    connect(m_outline, &Outline::activated, this, [this] { m_docks->raise(m_graph->inspector()); });
    connect(m_outline, &Outline::hinted, this,
            [this](const QString& text) { statusBar()->showMessage(text, 6000); });
}

void MainWindow::createEditMenu(QMenu& edit)
{
    const CanvasEditor::Actions& actions = m_graph->view().editor()->actions();
    edit.addActions({ actions.undo, actions.redo });
    edit.addSeparator();
    edit.addActions(
        { actions.cut, actions.copy, actions.paste, actions.duplicate, actions.remove, actions.selectAll });
    edit.addSeparator();
    edit.addAction(actions.find);
    edit.addActions(m_graph->code().actions());
}

void MainWindow::createGraphMenu(QMenu& menu)
{
    const CanvasEditor::Actions& actions = m_graph->view().editor()->actions();
    menu.addActions({ actions.add, actions.connect, actions.branch, actions.rename, actions.nextEdge });
    menu.addSeparator();
    menu.addActions({ actions.breakBefore, actions.breakAfter });
    menu.addSeparator();
    menu.addActions({ actions.inside, actions.outside, actions.extract, actions.dissolve });
    menu.addSeparator();
    menu.addActions({ actions.note, actions.frame, actions.nextNote });
    menu.addSeparator();
    menu.addActions({ actions.arrange, actions.pin });
    QMenu* align = menu.addMenu(tr("Ali&gn"));
    for (QAction* action : actions.align)
        align->addAction(action);
    menu.addSeparator();
    m_versions->addTo(menu);
    menu.addSeparator();
    menu.addAction(tr("&Next problem"), QKeySequence(QStringLiteral("F8")), this,
                   [this] { walkProblems(1); });
    menu.addAction(tr("&Previous problem"), QKeySequence(QStringLiteral("Shift+F8")), this,
                   [this] { walkProblems(-1); });
    menu.addActions(m_problems->actions());
}

void MainWindow::walkProblems(int by)
{
    if (by > 0 && m_info.problems.empty() && m_past->failureAction()->isEnabled()) {
        m_past->failureAction()->trigger();
        return;
    }
    m_docks->raise(m_problems);
    m_problems->step(by);
}

namespace {

bool tellsTheSame(const ProjectInfo& info, const ProjectInfo& shown)
{
    return info.fileText == shown.fileText && info.problems == shown.problems
        && info.isReadable == shown.isReadable && info.mode == shown.mode && info.hosts == shown.hosts
        && info.fetchesData == shown.fetchesData;
}

} // namespace

void MainWindow::takeFile(const ProjectInfo& info)
{
    const auto taken = m_saving->edits().fileChanged(info);
    const ProjectInfo shown = std::exchange(m_info, info);
    if (m_saving->edits().isModified())
        m_info.problems = shown.problems;
    if (taken == UnsavedEdits::Taken::Anew) {
        if (info.editFault.isEmpty() && m_saving->edits().takeTheirs())
            m_graph->setProblems(info.problems);
        else
            m_graph->setGraph(info);
    }
    if (taken == UnsavedEdits::Taken::Conflict)
        m_info = shown; // until it is chosen
    else if (!tellsTheSame(m_info,
                           shown)) // any file of the folder may have changed; what is told stays in sight
        showSandbox(ProjectInfo(m_info));
}

} // namespace sg::ui
