#include "core/graph/node_kinds.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/panels/inspector.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/bookmarks.h"
#include "ui/shell/parts/raw_part.h"
#include "ui/shell/parts/values_part.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

// Replay and fork: what can be done from the selected checkpoint, previewed before anything runs.
namespace sg::ui {
namespace {

bool runsCode(const graph::Graph& graph)
{
    return std::ranges::any_of(graph.nodes, [](const graph::Node& node) {
        return graph::usesSandbox(node) || (node.subgraph && runsCode(*node.subgraph));
    });
}

ReplayGraph replayGraph(const ProjectInfo& info)
{
    ReplayGraph known;
    known.mode = info.mode;
    known.hosts = info.hosts;
    for (const graph::Node& node : info.graph.nodes) {
        const QString name = QString::fromStdString(node.name.value);
        known.kinds.insert(name, QString::fromStdString(node.kind));
        if (node.subgraph && runsCode(*node.subgraph))
            known.withCode.insert(name);
    }
    for (const graph::Channel& channel : info.graph.channels) {
        const QString name = QString::fromStdString(channel.name);
        if (channel.type == graph::ChannelType::Reduce || channel.type == graph::ChannelType::Delta)
            known.rules.reduced.insert(name);
        if (channel.reducer == graph::Reducer::AddMessages)
            known.rules.locked.insert(name);
    }
    return known;
}

PlannedBranch plannedBranch(const ReplayPlan& plan, const graph::Graph& graph)
{
    using Fate = PlannedBranch::Task::Fate;
    PlannedBranch branch;
    branch.checkpoint = plan.checkpoint;
    const auto add = [&](const PlannedTask& task, std::size_t place, bool isReused) {
        if (branch.steps.size() <= place)
            branch.steps.resize(place + 1);
        const graph::Node* node = graph.findNode(NodeId(task.node.toStdString()));
        branch.steps[place].push_back({ task.node,
                                        isReused                               ? Fate::Reused
                                            : node && graph::asksPerson(*node) ? Fate::Asks
                                                                               : Fate::Runs });
    };
    for (const PlannedTask& task : plan.reused)
        add(task, 0, true);
    for (const PlannedTask& task : plan.next)
        add(task, 0, false);
    const std::vector<std::size_t> places = laterPlaces(plan);
    for (std::size_t i = 0; i < plan.later.size(); ++i)
        add(plan.later[i], places[i], false);
    return branch;
}

QString refusalWords(ReplayRefusal refusal)
{
    switch (refusal) {
    case ReplayRefusal::None: break;
    case ReplayRefusal::NoCheckpoint:
        return MainWindow::tr("Run the thread first: there is no checkpoint to go back to");
    case ReplayRefusal::NothingLeft:
        return MainWindow::tr("Nothing is left to run from this step: fork it and change a value");
    case ReplayRefusal::WaitsForAnswer:
        return MainWindow::tr("This step waits for your answer: answer it to go on");
    }
    return {};
}

} // namespace

void MainWindow::createReplay()
{
    m_replayAction = new QAction(icon(QLatin1String("replay")), tr("&Replay from here…"), this);
    m_replayAction->setIconText(tr("Replay…"));
    m_replayAction->setShortcut(QKeySequence(QStringLiteral("Ctrl+R")));
    m_forkAction = new QAction(icon(QLatin1String("fork")), tr("&Fork from here…"), this);
    m_forkAction->setIconText(tr("Fork…"));
    m_forkAction->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+R")));
    m_timeline->addVerb(m_replayAction);
    m_timeline->addVerb(m_forkAction);
    connect(m_replayAction, &QAction::triggered, this, [this] { previewReplay(false); });
    connect(m_forkAction, &QAction::triggered, this, [this] {
        if (m_info.isReadOnly)
            offerCopy();
        else
            previewReplay(true);
    });
    connect(&m_clients->project, &OpenProject::databaseCopied, this,
            [this](const QString& folder, const UserError& error) {
                if (error.what.isEmpty())
                    openProject(folder);
                else
                    showError(error);
            });
    createNodeVerbs();
    connect(m_replay, &ReplayPanel::closed, this, [this] { m_docks->showPreview(false); });
    connect(&m_clients->project, &OpenProject::closing, m_replay, &ReplayPanel::close);
    connect(m_replay, &ReplayPanel::replayRequested, &m_clients->runs, &RunsClient::replay);
    connect(m_replay, &ReplayPanel::forkRequested, &m_clients->runs, &RunsClient::fork);
    connect(m_replay, &ReplayPanel::planChanged, this, &MainWindow::showPlanned);
    connect(m_replay, &ReplayPanel::rerunRequested, &m_clients->runs, &RunsClient::rerunNode);
    connect(&m_clients->runs, &RunsClient::forked, this, [this](const QString& thread, const QString&) {
        m_replay->setForked(thread);
        branchMade(thread);
    });
    m_goToFailure = new QAction(icon(QLatin1String("error")), tr("Go to the &failure"), this);
    m_goToFailure->setShortcut(QKeySequence(QStringLiteral("Ctrl+F8")));
    connect(m_goToFailure, &QAction::triggered, this, &MainWindow::goToFailure);
}

void MainWindow::showVerbs()
{
    m_rawPart->showVerb();
    const QString checkpoint = m_timeline->current();
    const CheckpointRow shown = m_timeline->row(checkpoint);
    m_state->setRewind(shown.sandbox, shown.sandboxNote);
    ReplayRefusal refusal = replayRefusal(m_graph->history(), checkpoint);
    m_goToFailure->setEnabled(!failedTask().task.isEmpty());
    const bool running = isRunning(m_selection->thread());
    const QString busy = tr("A run is under way on this thread: stop it first");
    const bool isAwaiting = m_timeline->isAwaiting(); // else it would be done from the head
    for (QAction* verb : { m_bookmarks->editAction(), m_valuesPart->compareAction() })
        verb->setEnabled(!isAwaiting);
    if (isAwaiting) {
        const QString reading = tr("The history up to this step is still being read");
        showNodeVerbs(reading);
        for (QAction* verb : { m_replayAction, m_forkAction }) {
            verb->setEnabled(false);
            verb->setToolTip(reading);
        }
        return;
    }
    showNodeVerbs(m_info.isReadOnly ? tr("Only its checkpoints were opened: open the project to run it")
                      : running
                      ? busy
                      : refusalWords(refusal == ReplayRefusal::NoCheckpoint ? refusal : ReplayRefusal::None));
    if (m_info.isReadOnly) {
        m_replayAction->setEnabled(false);
        m_replayAction->setToolTip(tr("Only its checkpoints were opened: open the project to run it"));
        m_forkAction->setEnabled(refusal != ReplayRefusal::NoCheckpoint);
        m_forkAction->setToolTip(tr("Copy this file into a project of its own, to go on there"));
        return;
    }
    const bool mayFork = refusal != ReplayRefusal::NoCheckpoint && !running && m_info.isReadable;
    m_forkAction->setEnabled(mayFork);
    m_forkAction->setToolTip(mayFork ? tr("Change values of this step and go on from it as a new branch (%1)")
                                           .arg(m_forkAction->shortcut().toString(QKeySequence::NativeText))
                                 : running ? busy
                                           : refusalWords(ReplayRefusal::NoCheckpoint));
    m_replayAction->setEnabled(mayFork && refusal == ReplayRefusal::None);
    m_replayAction->setToolTip(m_replayAction->isEnabled()
                                   ? tr("Run again from this step as a new branch (%1)")
                                         .arg(m_replayAction->shortcut().toString(QKeySequence::NativeText))
                                   : running ? busy
                                             : refusalWords(refusal));
}

void MainWindow::previewReplay(bool fork)
{
    m_replay->mayLeave([this, fork] {
        const QString checkpoint = m_timeline->current();
        m_replay->setGraph(replayGraph(m_info));
        m_docks->showPreview(true);
        m_replay->preview(fork ? ReplayPanel::Verb::Fork : ReplayPanel::Verb::Replay, m_graph->history(),
                          checkpoint, {}, m_timeline->depthOf(checkpoint));
        m_clients->history.loadState(m_selection->thread(), checkpoint); // the values that can be changed
    });
}

// A file from elsewhere is never written: one question, and the copy is a project.
void MainWindow::offerCopy()
{
    const QString base = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
        + QStringLiteral("/Sandglass/") + QFileInfo(m_info.database).completeBaseName();
    QString folder = base;
    for (int n = 2; QFileInfo::exists(folder); ++n)
        folder = base + QLatin1Char('-') + QString::number(n);
    auto* ask = new QMessageBox(QMessageBox::Question, tr("Fork"),
                                tr("%1 is another program's file and is only read. Copy it into a project of "
                                   "its own, and go on there?")
                                    .arg(QFileInfo(m_info.database).fileName()),
                                QMessageBox::Cancel, this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setInformativeText(
        tr("The project is made in %1. The graph is not in the file: import it or build it "
           "there, then fork.")
            .arg(QDir::toNativeSeparators(folder)));
    QPushButton* copy = ask->addButton(tr("Copy and open"), QMessageBox::AcceptRole);
    ask->setDefaultButton(copy);
    connect(copy, &QPushButton::clicked, this, [this, folder] { m_clients->project.copyDatabase(folder); });
    ask->open();
}

// What is done with the selected node, from what is looked at.
void MainWindow::createNodeVerbs()
{
    m_rerunNode = new QAction(icon(QLatin1String("replay")), tr("Re-run this &node…"), this);
    m_rerunNode->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+R")));
    m_runToNode = new QAction(icon(QLatin1String("step")), tr("Run &to this node…"), this);
    m_runToNode->setShortcut(QKeySequence(QStringLiteral("Ctrl+F10")));
    connect(m_rerunNode, &QAction::triggered, this, &MainWindow::rerunNode);
    connect(m_runToNode, &QAction::triggered, this, &MainWindow::runToNode);
    connect(m_selection, &Selection::nodeChanged, this, &MainWindow::showVerbs);
    connect(m_timeline, &TimelinePanel::menuRequested, this, &MainWindow::showTimelineMenu);
    m_graph->view().editor()->addNodeVerb(m_rerunNode);
    m_graph->view().editor()->addNodeVerb(m_runToNode);
}

void MainWindow::showNodeVerbs(const QString& refusal)
{
    const QString node = m_selection->node();
    const QString checkpoint = m_timeline->current();
    const CheckpointRow at = m_timeline->row(checkpoint);
    const QString start =
        node.isEmpty() || !refusal.isEmpty() ? QString() : lastStartOf(m_graph->history(), checkpoint, node);
    m_rerunNode->setEnabled(!start.isEmpty());
    m_rerunNode->setToolTip(!refusal.isEmpty()   ? refusal
                                : node.isEmpty() ? tr("Choose a node first")
                                : start.isEmpty()
                                ? tr("%1 did not run on the way to this step").arg(node)
                                : tr("Run %1 alone once more: what ran beside it is reused").arg(node));
    const bool isNext = at.next.contains(node);
    m_runToNode->setEnabled(refusal.isEmpty() && !node.isEmpty() && !at.next.isEmpty() && !isNext);
    m_runToNode->setToolTip(!refusal.isEmpty()      ? refusal
                                : node.isEmpty()    ? tr("Choose a node first")
                                : isNext            ? tr("%1 is what runs next").arg(node)
                                : at.next.isEmpty() ? refusalWords(ReplayRefusal::NothingLeft)
                                                    : tr("Run from this step and pause before %1").arg(node));
}

void MainWindow::rerunNode()
{
    const QString node = m_selection->node();
    const QString start = lastStartOf(m_graph->history(), m_timeline->current(), node);
    if (start.isEmpty())
        return;
    m_replay->mayLeave([this, start, node] {
        goTo(start);
        m_replay->setGraph(replayGraph(m_info));
        m_docks->showPreview(true);
        m_replay->previewRerun(m_graph->history(), start, node, m_timeline->depthOf(start));
    });
}

void MainWindow::showPlanned(const ReplayPlan& plan)
{
    CanvasPanel::Preview shown;
    for (const std::vector<PlannedTask>* tasks : { &plan.next, &plan.later })
        for (const PlannedTask& task : *tasks) {
            const graph::Node* node = m_info.graph.findNode(NodeId(task.node.toStdString()));
            (node && graph::asksPerson(*node) ? shown.asks : shown.runs) << task.node;
        }
    for (const PlannedTask& task : plan.reused)
        shown.reused << task.node;
    m_graph->setPreview(shown);
    PlannedBranch branch = plannedBranch(plan, m_info.graph);
    if (m_replay->hasStaged())
        branch.note = tr("values changed");
    m_timeline->setPlanned(branch);
}

void MainWindow::runToNode()
{
    m_replay->mayLeave([this] {
        const QString checkpoint = m_timeline->current();
        m_replay->setGraph(replayGraph(m_info));
        m_docks->showPreview(true);
        m_replay->preview(ReplayPanel::Verb::Replay, m_graph->history(), checkpoint,
                          { ReplayAim::Until::Before, m_selection->node() }, m_timeline->depthOf(checkpoint));
    });
}

// The last task of the thread that failed.
TaskRow MainWindow::failedTask() const
{
    const std::vector<TaskRow>& tasks = m_graph->history().tasks;
    const auto failed = std::find_if(tasks.rbegin(), tasks.rend(), [](const TaskRow& task) {
        return task.outcome == QLatin1String("failed");
    });
    return failed == tasks.rend() ? TaskRow() : *failed;
}

// The node with its error and what it began from, and the last lines that it printed.
void MainWindow::goToFailure()
{
    const TaskRow failed = failedTask();
    if (failed.task.isEmpty())
        return;
    goTo(failed.checkpoint);
    m_selection->setNode(failed.node);
    m_docks->raise(m_graph->inspector());
    const double seconds = std::isnan(failed.seconds) ? 0 : failed.seconds;
    if (!std::isnan(failed.startedMs)) {
        m_log->setMoment(failed.startedMs + seconds * 1000, true);
        m_session->setMoment(failed.startedMs + seconds * 1000);
    }
}

void MainWindow::showTimelineMenu(const QString& node, const QPoint& at)
{
    if (!node.isEmpty())
        m_selection->setNode(node);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({ m_replayAction, m_forkAction });
    if (!m_selection->node().isEmpty()) {
        menu->addSeparator();
        menu->addActions({ m_rerunNode, m_runToNode });
    }
    menu->addSeparator();
    menu->addActions(
        { m_valuesPart->compareAction(), m_bookmarks->editAction(), m_timeline->nestedAction() });
    menu->popup(at);
}

void MainWindow::branchMade(const QString& thread)
{
    if (thread != m_selection->thread())
        return;
    m_selection->returnToHead(); // the new branch's end is the newest
    m_clients->history.loadHistory(thread);
    m_clients->history.loadState(thread, {});
    m_clients->history.refreshThreads();
}

} // namespace sg::ui
