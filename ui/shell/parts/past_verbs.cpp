#include "ui/shell/parts/past_verbs.h"

#include "core/graph/node_kinds.h"
#include "ui/bridge/clients.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

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
    known.mode = info.mode.name;
    known.hosts = info.mode.hosts;
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
        return PastVerbs::tr("Run the thread first: there is no checkpoint to go back to");
    case ReplayRefusal::NothingLeft:
        return PastVerbs::tr("Nothing is left to run from this step: fork it and change a value");
    case ReplayRefusal::WaitsForAnswer:
        return PastVerbs::tr("This step waits for your answer: answer it to go on");
    }
    return {};
}

} // namespace

PastVerbs::PastVerbs(const WindowParts& parts, ReplayPanel& replay, CanvasPanel& canvas, StatePanel& state,
                     LogPanel& log, SessionPanel& session)
    : WindowPart(parts)
    , m_replay(&replay)
    , m_graph(&canvas)
    , m_state(&state)
    , m_log(&log)
    , m_session(&session)
{
    m_replayAction = new QAction(icon(QLatin1String("replay")), tr("&Replay from here…"), m_window);
    m_replayAction->setIconText(tr("Replay…"));
    m_replayAction->setShortcut(QKeySequence(QStringLiteral("Ctrl+R")));
    m_forkAction = new QAction(icon(QLatin1String("fork")), tr("&Fork from here…"), m_window);
    m_forkAction->setIconText(tr("Fork…"));
    m_forkAction->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+R")));
    connect(&m_clients->history, &HistoryClient::stateLoaded, m_replay, [this](const StateView& read) {
        if (read.thread == m_selection->thread())
            m_replay->setState(read);
    });
    m_timeline->addVerb(m_replayAction);
    m_timeline->addVerb(m_forkAction);
    connect(m_replayAction, &QAction::triggered, this, [this] { previewReplay(false); });
    connect(m_forkAction, &QAction::triggered, this, [this] {
        if (m_clients->project.info().isReadOnly)
            offerCopy();
        else
            previewReplay(true);
    });
    connect(&m_clients->project, &OpenProject::databaseCopied, this,
            [this](const QString& folder, const UserError& error) {
                if (error.what.isEmpty())
                    Q_EMIT openWanted(folder);
                else
                    showError(error);
            });
    m_rerunNode = new QAction(icon(QLatin1String("replay")), tr("Re-run this &node…"), m_window);
    m_rerunNode->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+R")));
    m_runToNode = new QAction(icon(QLatin1String("step")), tr("Run &to this node…"), m_window);
    m_runToNode->setShortcut(QKeySequence(QStringLiteral("Ctrl+F10")));
    connect(m_rerunNode, &QAction::triggered, this, &PastVerbs::rerunNode);
    connect(m_runToNode, &QAction::triggered, this, &PastVerbs::runToNode);
    connect(m_selection, &Selection::nodeChanged, this, &PastVerbs::showVerbs);
    connect(m_history, &ShownHistory::currentChanged, this, [this] {
        m_replay->setViewed(m_history->current());
        showVerbs();
    });
    connect(m_history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (change.kind == HistoryChange::Kind::Cleared)
            m_replay->setViewed({});
        if (!change.isLive())
            showVerbs();
    });
    connect(
        &m_clients->runs, &RunsClient::runRefused, this,
        [this](const QString& thread, const UserError& error) { m_replay->setRefused(thread, error.what); });
    connect(m_book, &ThreadBook::listed, this, &PastVerbs::showVerbs);
    connect(m_book, &ThreadBook::statusChanged, this, &PastVerbs::showVerbs);
    connect(&m_clients->project, &OpenProject::opened, this, &PastVerbs::showVerbs);
    connect(m_timeline, &TimelinePanel::menuRequested, this, &PastVerbs::showTimelineMenu);
    m_graph->view().editor()->addNodeVerb(m_rerunNode);
    m_graph->view().editor()->addNodeVerb(m_runToNode);
    connect(m_replay, &ReplayPanel::closed, this, [this] { m_docks->showPreview(false); });
    connect(&m_clients->project, &OpenProject::closing, m_replay, &ReplayPanel::close);
    connect(m_replay, &ReplayPanel::replayRequested, &m_clients->runs, &RunsClient::replay);
    connect(m_replay, &ReplayPanel::forkRequested, &m_clients->runs, &RunsClient::fork);
    connect(m_replay, &ReplayPanel::planChanged, this, &PastVerbs::showPlanned);
    connect(m_replay, &ReplayPanel::rerunRequested, &m_clients->runs, &RunsClient::rerunNode);
    connect(&m_clients->runs, &RunsClient::forked, this, [this](const QString& thread, const QString&) {
        m_replay->setForked(thread);
        branchMade(thread);
    });
    m_goToFailure = new QAction(icon(QLatin1String("error")), tr("Go to the &failure"), m_window);
    m_goToFailure->setShortcut(QKeySequence(QStringLiteral("Ctrl+F8")));
    connect(m_goToFailure, &QAction::triggered, this, &PastVerbs::goToFailure);
}

void PastVerbs::setBeside(QAction* bookmark, QAction* compare)
{
    m_bookmark = bookmark;
    m_compare = compare;
}

void PastVerbs::addTo(QMenu& thread)
{
    thread.addActions({ m_replayAction, m_forkAction, m_rerunNode, m_runToNode });
}

void PastVerbs::showVerbs()
{
    const QString checkpoint = m_history->current();
    const CheckpointRow shown = m_history->row(checkpoint);
    m_state->setRewind(shown.sandbox, shown.sandboxNote);
    ReplayRefusal refusal = replayRefusal(m_history->rows(), checkpoint);
    m_goToFailure->setEnabled(!failedTask().task.isEmpty());
    const bool running = m_book->isRunning(m_selection->thread());
    const QString busy = tr("A run is under way on this thread: stop it first");
    const bool isAwaiting = m_history->isAwaiting(); // else it would be done from the head
    for (QAction* verb : { m_bookmark, m_compare })
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
    showNodeVerbs(m_clients->project.info().isReadOnly
                      ? tr("Only its checkpoints were opened: open the project to run it")
                      : running
                      ? busy
                      : refusalWords(refusal == ReplayRefusal::NoCheckpoint ? refusal : ReplayRefusal::None));
    if (m_clients->project.info().isReadOnly) {
        m_replayAction->setEnabled(false);
        m_replayAction->setToolTip(tr("Only its checkpoints were opened: open the project to run it"));
        m_forkAction->setEnabled(refusal != ReplayRefusal::NoCheckpoint);
        m_forkAction->setToolTip(tr("Copy this file into a project of its own, to go on there"));
        return;
    }
    const bool mayFork =
        refusal != ReplayRefusal::NoCheckpoint && !running && m_clients->project.info().isReadable;
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

void PastVerbs::previewReplay(bool fork)
{
    m_replay->mayLeave([this, fork] {
        const QString checkpoint = m_history->current();
        m_replay->setGraph(replayGraph(m_clients->project.info()));
        m_docks->showPreview(true);
        m_replay->preview(fork ? ReplayPanel::Verb::Fork : ReplayPanel::Verb::Replay, m_history->rows(),
                          checkpoint, {}, m_history->depthOf(checkpoint));
        m_clients->history.loadState(m_selection->thread(), checkpoint); // the values that can be changed
    });
}

void PastVerbs::replayFrom(const TaskRow& task)
{
    if (task.checkpoint.isEmpty())
        return;
    m_history->goTo(task.checkpoint);
    previewReplay(false);
}

// A file from elsewhere is never written: one question, and the copy is a project.
void PastVerbs::offerCopy()
{
    const QString base = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
        + QStringLiteral("/Sandglass/") + QFileInfo(m_clients->project.info().database).completeBaseName();
    QString folder = base;
    for (int n = 2; QFileInfo::exists(folder); ++n)
        folder = base + QLatin1Char('-') + QString::number(n);
    auto* ask = new QMessageBox(QMessageBox::Question, tr("Fork"),
                                tr("%1 is another program's file and is only read. Copy it into a project of "
                                   "its own, and go on there?")
                                    .arg(QFileInfo(m_clients->project.info().database).fileName()),
                                QMessageBox::Cancel, m_window);
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

void PastVerbs::showNodeVerbs(const QString& refusal)
{
    const QString node = m_selection->node();
    const QString checkpoint = m_history->current();
    const CheckpointRow at = m_history->row(checkpoint);
    const QString start =
        node.isEmpty() || !refusal.isEmpty() ? QString() : lastStartOf(m_history->rows(), checkpoint, node);
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

void PastVerbs::rerunNode()
{
    const QString node = m_selection->node();
    const QString start = lastStartOf(m_history->rows(), m_history->current(), node);
    if (start.isEmpty())
        return;
    m_replay->mayLeave([this, start, node] {
        m_history->goTo(start);
        m_replay->setGraph(replayGraph(m_clients->project.info()));
        m_docks->showPreview(true);
        m_replay->previewRerun(m_history->rows(), start, node, m_history->depthOf(start));
    });
}

void PastVerbs::showPlanned(const ReplayPlan& plan)
{
    CanvasPanel::Preview shown;
    for (const std::vector<PlannedTask>* tasks : { &plan.next, &plan.later })
        for (const PlannedTask& task : *tasks) {
            const graph::Node* node =
                m_clients->project.info().graph.findNode(NodeId(task.node.toStdString()));
            (node && graph::asksPerson(*node) ? shown.asks : shown.runs) << task.node;
        }
    for (const PlannedTask& task : plan.reused)
        shown.reused << task.node;
    m_graph->setPreview(shown);
    PlannedBranch branch = plannedBranch(plan, m_clients->project.info().graph);
    if (m_replay->hasStaged())
        branch.note = tr("values changed");
    m_timeline->setPlanned(branch);
}

void PastVerbs::runToNode()
{
    m_replay->mayLeave([this] {
        const QString checkpoint = m_history->current();
        m_replay->setGraph(replayGraph(m_clients->project.info()));
        m_docks->showPreview(true);
        m_replay->preview(ReplayPanel::Verb::Replay, m_history->rows(), checkpoint,
                          { ReplayAim::Until::Before, m_selection->node() }, m_history->depthOf(checkpoint));
    });
}

// Returns the last task of the thread that failed.
TaskRow PastVerbs::failedTask() const
{
    const std::vector<TaskRow>& tasks = m_history->rows().tasks;
    const auto failed = std::find_if(tasks.rbegin(), tasks.rend(),
                                     [](const TaskRow& task) { return task.outcome == TaskOutcome::Failed; });
    return failed == tasks.rend() ? TaskRow() : *failed;
}

// Shows the node with its error and what it began from, and the last lines that it printed.
void PastVerbs::goToFailure()
{
    const TaskRow failed = failedTask();
    if (failed.task.isEmpty())
        return;
    m_history->goTo(failed.checkpoint);
    m_selection->setNode(failed.node);
    m_docks->raise(m_parts.inspector);
    const double seconds = std::isnan(failed.seconds) ? 0 : failed.seconds;
    if (!std::isnan(failed.startedMs)) {
        m_log->setMoment(failed.startedMs + seconds * 1000, true);
        m_session->setMoment(failed.startedMs + seconds * 1000);
    }
}

void PastVerbs::showTimelineMenu(const QString& node, const QPoint& at)
{
    if (!node.isEmpty())
        m_selection->setNode(node);
    auto* menu = new QMenu(m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({ m_replayAction, m_forkAction });
    if (!m_selection->node().isEmpty()) {
        menu->addSeparator();
        menu->addActions({ m_rerunNode, m_runToNode });
    }
    menu->addSeparator();
    menu->addActions({ m_compare, m_bookmark, m_timeline->nestedAction() });
    menu->popup(at);
}

void PastVerbs::branchMade(const QString& thread)
{
    if (thread != m_selection->thread())
        return;
    m_selection->returnToHead(); // the new branch's end is the newest
    m_clients->history.loadHistory(thread);
    m_clients->history.loadState(thread, {});
    m_clients->history.refreshThreads();
}

} // namespace sg::ui
