#include "ui/code/code_editor.h"
#include "ui/code/code_files.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/quick_fixes.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/panels/outline.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/macros.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/graph_versions.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/pending_field.h"
#include "ui/shell/problems_panel.h"
#include "ui/shell/unsaved_edits.h"
#include "ui/widgets/banner_stack.h"
#include "ui/widgets/icons.h"
#include "ui/world/files_panel.h"

#include <QAction>
#include <QCloseEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
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

void MainWindow::createEditing()
{
    m_edits = new UnsavedEdits(m_graph->document(), m_clients->editing, this);
    m_save = new QAction(icon(QLatin1String("save")), tr("&Save"), this);
    m_save->setShortcut(QKeySequence::Save);
    m_save->setEnabled(false);
    connect(m_save, &QAction::triggered, this, [this] {
        takeField({}, {}); // what it refuses is told; the rest is saved
        saveThen([this] { m_world->saveTextThen({}); });
    });
    m_field = new PendingField(*this, *m_graph->inspector());
    connect(m_field, &PendingField::changed, this, &MainWindow::showModified);
    connect(m_edits, &UnsavedEdits::modifiedChanged, this, [this](bool modified) {
        showModified();
        if (modified && m_edits->isModified())
            m_banners->withdraw(BannerStack::Owner::File); // the problems panel follows the edits
    });
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
    connectEdits();
    connectProblems();
    connectOutline();
    connectCode();
}

void MainWindow::connectEdits()
{
    connect(m_edits, &UnsavedEdits::failed, this, &MainWindow::showNotSaved);
    connect(m_edits, &UnsavedEdits::saved, this, [this] {
        m_banners->withdraw(BannerStack::Owner::Action);
        for (const std::function<void()>& next : std::exchange(m_afterSave, {}))
            next();
    });
    connect(m_edits, &UnsavedEdits::conflicted, this, &MainWindow::showConflict);
    connect(m_edits, &UnsavedEdits::recoverable, this, &MainWindow::offerRecovery);
    connect(m_edits, &UnsavedEdits::shared, this, [this] {
        m_banners->tell(
            BannerStack::Owner::Sharing,
            { .kind = Banner::Kind::Warning,
              .text = tr("**Another window has this graph open.** What is saved there is taken up here; "
                         "neither writes over the other without asking.") });
    });
    connect(&m_clients->project, &OpenProject::openFailed, this, [this] {
        m_discarding = false; // what is shown stays
        m_edits->keepOn();
    });
}

void MainWindow::connectProblems()
{
    connect(&m_clients->editing, &EditingClient::graphChecked, this,
            [this](const std::vector<graph::Problem>& problems) {
                m_info.problems = problems;
                if (m_edits->isModified())
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

void MainWindow::connectCode()
{
    CodeFiles* files = &m_graph->code().files();
    connect(files, &CodeFiles::readRequested, &m_clients->editing, &EditingClient::loadCode);
    connect(files, &CodeFiles::saveRequested, &m_clients->editing, &EditingClient::saveCode);
    connect(files, &CodeFiles::keepRequested, &m_clients->editing, &EditingClient::keepCode);
    connect(&m_clients->editing, &EditingClient::codeLoaded, files, &CodeFiles::take);
    connect(&m_clients->editing, &EditingClient::codeSaved, files, &CodeFiles::noteSaved);
    connect(files, &CodeFiles::changed, this, &MainWindow::showModified);
    connect(files, &CodeFiles::saved, this, [this] {
        if (std::exchange(m_savingCode, false))
            m_edits->save();
    });
    connect(files, &CodeFiles::failed, this, [this](const UserError& error) {
        m_savingCode = false;
        showNotSaved(error);
    });
}

void MainWindow::showNotSaved(const UserError& error)
{
    m_afterSave.clear();
    showError(error);
    m_macros->noteRefused(error.what);
}

// What the field that is typed in refuses is told; `without` goes on all the same. False: it does.
bool MainWindow::takeField(const QString& without, const std::function<void()>& next)
{
    const PendingField::Refusal refusal = m_field->take();
    if (refusal.why.isEmpty()) {
        m_banners->withdraw(BannerStack::Owner::Field);
        return true;
    }
    BannerMessage message{
        .kind = Banner::Kind::Warning,
        .text = next ? tr("**%1 was not taken:** %2. Correct it.").arg(refusal.field, refusal.why)
                     : tr("**%1 was not taken, and is not saved:** %2. Correct it, then save again.")
                           .arg(refusal.field, refusal.why)
    };
    if (next)
        message.actions.push_back({ .text = without, .run = [this, next] {
                                       m_field->passOver();
                                       next();
                                   } });
    m_banners->tell(BannerStack::Owner::Field, std::move(message));
    return false;
}

// True: the user is asked first, about a field, staged changes or a save; `next` may follow.
bool MainWindow::holdsBack(const QString& without, const std::function<void()>& next)
{
    if (!takeField(without, next))
        return true;
    if (m_replay->hasStaged()) {
        m_replay->mayLeave([this, next] {
            m_replay->close();
            next();
        });
        return true;
    }
    if (mayLose())
        return false;
    askToSave(next);
    return true;
}

void MainWindow::showModified()
{
    setWindowModified(isModified());
    m_save->setEnabled(isModified() || m_field->isPending());
}

bool MainWindow::isModified() const
{
    return m_edits->isModified() || m_graph->code().files().isModified() || m_files->isModified();
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
    if (by > 0 && m_info.problems.empty() && m_goToFailure->isEnabled()) {
        goToFailure();
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
        && info.fetchesData == shown.fetchesData && info.backend == shown.backend
        && info.sandboxProblem.what == shown.sandboxProblem.what;
}

} // namespace

void MainWindow::takeFile(const ProjectInfo& info)
{
    const auto taken = m_edits->fileChanged(info);
    const ProjectInfo shown = std::exchange(m_info, info);
    if (m_edits->isModified())
        m_info.problems = shown.problems;
    if (taken == UnsavedEdits::Taken::Anew) {
        if (info.editFault.isEmpty() && m_edits->takeTheirs())
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

// Code first: a graph's save would make the files that are missing.
void MainWindow::saveThen(const std::function<void()>& next)
{
    m_afterSave.push_back(next);
    m_savingCode = true;
    m_graph->code().files().save();
}

void MainWindow::showConflict()
{
    m_afterSave.clear();
    m_macros->noteRefused(tr("the graph's file was changed by another program"));
    m_banners->tell(
        BannerStack::Owner::Conflict,
        { .kind = Banner::Kind::Warning,
          .text = tr("**The graph's file was changed by another program** while it was edited here. Nothing "
                     "was overwritten."),
          .isQuestion = true,
          .actions = {
              { .text = tr("Keep mine"), .run = [this] { m_edits->overwrite(); } },
              { .text = tr("Take the file's"), .run = [this] { takeTheFiles(); }, .isLink = true } } });
}

void MainWindow::takeTheFiles()
{
    if (!m_edits->takeTheirs()) {
        m_edits->forget();
        m_graph->document().setSaved(); // so that the file takes its place, to be looked at alone
    }
    m_clients->editing.reloadGraph(); // what else it says: mode, network, problems
}

void MainWindow::offerRecovery()
{
    m_banners->tell(
        BannerStack::Owner::Recovery,
        { .text = m_edits->isJournalOlder()
              ? tr("**Edits that were not saved were found.** The file was changed since they "
                   "were made: a save will ask before they go over it.")
              : tr("**Edits that were not saved were found.** The window ended before they were."),
          .isQuestion = true,
          .actions = { { .text = tr("Recover"), .run = [this] { m_edits->recover(); } },
                       { .text = tr("Discard"), .run = [this] { m_edits->forget(); }, .isLink = true } } });
}

void MainWindow::askToSave(const std::function<void()>& next)
{
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Save changes?"),
                                     tr("%1 has changes that are not saved.").arg(m_info.graphName),
                                     QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::finished, this, [this, next](int answer) {
        if (answer == QMessageBox::Save) {
            saveThen([this, next] { m_world->saveTextThen(next); });
        } else if (answer == QMessageBox::Discard) {
            m_discarding = true;
            m_edits->forget();
            m_graph->code().files().discard();
            m_files->closeText();
            next();
        }
    });
    question->open();
}

bool MainWindow::mayLose() const
{
    return m_discarding || !isModified();
}

} // namespace sg::ui
