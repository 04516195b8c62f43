#include "core/sandbox/backend_kinds.h"
#include "ui/code/code_editor.h"
#include "ui/graph/edits/quick_fixes.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/outline.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/macros.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/graph_files.h"
#include "ui/shell/parts/last_project.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/runtime_part.h"
#include "ui/shell/parts/saving.h"
#include "ui/shell/parts/start_part.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/problems_panel.h"
#include "ui/shell/status_line.h"
#include "ui/shell/unsaved_edits.h"
#include "ui/start/start_page.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/widgets/icons.h"
#include "ui/world/files_panel.h"

#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>

#include <algorithm>

// Opening projects and what stands around them.
namespace sg::ui {
namespace {

// A run tells of bad code where it comes to it.
bool stopsRuns(const graph::Problem& problem)
{
    return problem.severity == graph::Problem::Severity::Error && problem.code != "bad-python";
}

// "line 19: edge to unknown node 'doubl'"; empty: there is no error.
QString firstError(const std::vector<graph::Problem>& problems)
{
    const auto found = std::ranges::find_if(problems, stopsRuns);
    if (found == problems.end())
        return {};
    const QString message = QString::fromStdString(found->message);
    return found->position.line > 0 ? MainWindow::tr("line %1: %2").arg(found->position.line).arg(message)
                                    : message;
}

bool hasWeakerBackend(const SandboxInfo& found)
{
    const sandbox::BackendKind* kind = sandbox::findBackendKind(found.backend.toStdString());
    return kind && kind->isWeaker && found.weakLimits;
}

// An empty folder has no graph to be named after.
QString projectName(const ProjectInfo& info)
{
    return info.graphName.isEmpty() ? QFileInfo(info.folder).fileName() : info.graphName;
}

} // namespace

void MainWindow::connectProject()
{
    auto* projects = new QMenu(this);
    connect(projects, &QMenu::aboutToShow, this, [this, projects] {
        projects->clear();
        m_startPart->addTo(*projects);
    });
    m_runBar->setProjectMenu(projects);
    connect(&m_clients->project, &OpenProject::opened, this, &MainWindow::showProject);
    connect(&m_clients->project, &OpenProject::openFailed, this, [this](const UserError& error) {
        m_start->setBusy(false);
        m_last->tellNotOpened(error);
        Q_EMIT notOpened(error);
        Q_EMIT ready();
    });
    connect(&m_clients->editing, &EditingClient::graphChanged, this, &MainWindow::takeFile);
    connect(&m_clients->project, &OpenProject::databaseChanged, this, [this] {
        m_clients->history.refreshThreads();
        followThread();
    });
    connect(&m_clients->project, &OpenProject::sandboxChecked, this, [this](const SandboxInfo& found) {
        m_info.sandbox = found;
        m_status->setSandbox(m_info);
        tellSandbox(found);
    });
    connect(&m_clients->project, &OpenProject::queryFailed, this, &MainWindow::showError);
}

void MainWindow::openProject(const QString& path)
{
    if (m_saving->holdsBack(tr("Open without it"), [this, path] { openProject(path); }))
        return;
    m_last->stop();
    m_start->setBusy(true);
    m_banners->withdraw(BannerStack::Owner::Action);
    m_banners->withdraw(BannerStack::Owner::Connection);
    m_clients->project.open(path);
}

void MainWindow::openSample(const QString& example)
{
    if (m_saving->holdsBack(tr("Open without it"), [this, example] { openSample(example); }))
        return;
    m_last->stop();
    m_start->setBusy(true);
    m_banners->withdraw(BannerStack::Owner::Action);
    m_banners->withdraw(BannerStack::Owner::Connection);
    m_clients->project.openSample(example);
}

void MainWindow::showProject(const ProjectInfo& info)
{
    m_info = info;
    m_banners->withdrawAll(); // they were the other project's
    m_world->forgetSave();
    m_macros->setProject(info.isReadOnly ? QString() : info.folder);
    m_start->setBusy(false);
    setWindowTitle(tr("%1[*] — Sandglass").arg(projectName(info)));
    m_runBar->setProject(projectName(info));
    m_runBar->setInput({});
    m_graph->setGraph(info);
    m_graph->code().setFolder(info.folder);
    m_pages->setCurrentWidget(m_graph);
    m_session->clear();
    m_files->closeText(); // of the project that was open
    m_terminal->clear();
    m_inbox->clear();
    m_selection->setThread({});
    showThread({});
    showSandbox(info);
    m_startPart->remember(info);
    m_saving->begin(info);
    m_graphFiles->showImported();
    Q_EMIT ready();
}

void MainWindow::showSandbox(const ProjectInfo& info)
{
    m_info = info;
    m_runBar->setMode(info.mode);
    m_session->setMode(info.mode);
    m_status->setSandbox(info);
    showProblems();
    if (info.isReadOnly) {
        m_banners->withdraw(BannerStack::Owner::Sandbox);
        if (m_startPart->tellReadOnly(info))
            return;
        m_banners->tell(
            BannerStack::Owner::File,
            { .text = tr("**Read-only.** These are the checkpoints of %1 alone, without a graph: look at any "
                         "step.")
                          .arg(info.graphName),
              .actions = { { .text = tr("Open a copy"),
                             .run = [this] { m_past->offerCopy(); },
                             .withdraws = false } } });
        return;
    }
    tellFile(info);
    tellSandbox(info.sandbox);
}

void MainWindow::tellFile(const ProjectInfo& info)
{
    if (firstError(info.problems).isEmpty() || m_saving->edits().isModified()) {
        m_banners->withdraw(BannerStack::Owner::File);
        return;
    }
    const bool isShown = info.isReadable && !info.graph.nodes.empty();
    BannerMessage message{
        .kind = Banner::Kind::Error,
        .text = isShown ? tr("**The graph cannot run:** %1").arg(firstError(info.problems))
                        : tr("**%1 cannot be read:** %2")
                              .arg(QFileInfo(info.graphPath).fileName(), firstError(info.problems)),
        .isQuestion = true,
        .actions = { { .text = tr("Show problems"), .run = [this] { walkProblems(1); }, .withdraws = false } }
    };
    if (!isShown)
        message.actions.push_back(
            { .text = tr("Open file"),
              .run = [path = info.graphPath] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); },
              .isLink = true,
              .withdraws = false });
    m_banners->tell(BannerStack::Owner::File, std::move(message));
}

void MainWindow::tellSandbox(const SandboxInfo& found)
{
    const BannerAction again{ .text = tr("Check again"),
                              .run = [this] { m_clients->project.checkSandbox(); },
                              .withdraws = false };
    if (!found.problem.what.isEmpty())
        m_banners->tell(BannerStack::Owner::Sandbox,
                        { .kind = Banner::Kind::Warning,
                          .text = tr("**No sandbox:** %1").arg(found.problem.what),
                          .toolTip = found.problem.detail,
                          .isQuestion = true,
                          .actions = { { .text = tr("Prepare now"),
                                         .run = [this] { m_runtime->prepare(); },
                                         .withdraws = false },
                                       again } });
    else if (m_runtime->tell(found))
        return;
    else if (hasWeakerBackend(found))
        m_banners->tell(
            BannerStack::Owner::Sandbox,
            { .kind = Banner::Kind::Warning,
              .text = tr("**No container engine found.** Runs use the local sandbox (bubblewrap; weaker "
                         "limits) until one is available."),
              .actions = { again } });
    else
        m_banners->withdraw(BannerStack::Owner::Sandbox);
}

void MainWindow::showProblems()
{
    m_outline->setProblems(m_info.problems);
    m_problems->setProblems(m_info.problems, QFileInfo(m_info.graphPath).fileName(),
                            m_info.isReadOnly ? QStringList()
                                              : quickFixTitles(m_graph->document().whole(), m_info.problems));
    int errors = 0;
    for (const graph::Problem& problem : m_info.problems)
        errors += stopsRuns(problem) ? 1 : 0;
    const QString blocked = whyNotRun(errors);
    m_runBar->setBlocked(blocked);
    m_threads->setCanRun(blocked.isEmpty());
}

QString MainWindow::whyNotRun(int errors) const
{
    if (m_info.isReadOnly)
        return tr("Only its checkpoints were opened: open the project to run it");
    if (m_graph->document().graph().nodes.empty() && m_info.isReadable)
        return tr("There is nothing to run yet: add a node");
    return errors > 0 ? tr("The graph has errors: %1. See Problems").arg(errors) : QString();
}

void MainWindow::showError(const UserError& error)
{
    tellError(parts(), error.node.isEmpty() ? BannerStack::Owner::Action : BannerStack::Owner::Run, error);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    const QString file = event->mimeData()->urls().front().toLocalFile();
    if (file.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive))
        m_threadFiles->importThread(file);
    else
        openProject(file);
}

} // namespace sg::ui
