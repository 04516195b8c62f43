#include "ui/shell/parts/past_verbs.h"

#include "core/graph/node_kinds.h"
#include "ui/bridge/clients.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/replay/replay_verbs.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
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

} // namespace

PastVerbs::PastVerbs(const WindowParts& parts, ReplayPanel& replay, CanvasPanel& canvas, LogPanel& log,
                     SessionPanel& session)
    : WindowPart(parts)
    , m_replay(&replay)
    , m_verbs(replay.verbs())
    , m_graph(&canvas)
    , m_log(&log)
    , m_session(&session)
    , m_goToFailure(new QAction(icon(QLatin1String("error")), tr("Go to the &failure"), m_window))
{
    m_goToFailure->setShortcut(QKeySequence(QStringLiteral("Ctrl+F8")));
    connect(m_goToFailure, &QAction::triggered, this, &PastVerbs::goToFailure);
    placeVerbs();
    followPreview();
    updateFailure();
}

void PastVerbs::placeVerbs()
{
    m_timeline->addVerb(m_verbs.replay());
    m_timeline->addVerb(m_verbs.fork());
    m_graph->view().editor()->addNodeVerb(m_verbs.rerun());
    m_graph->view().editor()->addNodeVerb(m_verbs.runTo());
    connect(m_timeline, &TimelinePanel::menuRequested, this, &PastVerbs::showTimelineMenu);
    connect(&m_verbs, &ReplayVerbs::copyWanted, this, &PastVerbs::offerCopy);
    connect(&m_clients->project, &OpenProject::databaseCopied, this,
            [this](const QString& folder, const UserError& error) {
                if (error.what.isEmpty())
                    Q_EMIT openWanted(folder);
                else
                    showError(error);
            });
}

void PastVerbs::followPreview()
{
    connect(m_replay, &ReplayPanel::opened, this, [this] { m_docks->showPreview(true); });
    connect(m_replay, &ReplayPanel::closed, this, [this] { m_docks->showPreview(false); });
    connect(m_replay, &ReplayPanel::planChanged, this, &PastVerbs::showPlanned);
    connect(m_history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (!change.isLive())
            updateFailure();
    });
    connect(m_history, &ShownHistory::currentChanged, this, &PastVerbs::updateFailure);
    connect(m_book, &ThreadBook::listed, this, &PastVerbs::updateFailure);
    connect(m_book, &ThreadBook::statusChanged, this, &PastVerbs::updateFailure);
}

void PastVerbs::setBeside(QAction* bookmark, QAction* compare)
{
    m_bookmark = bookmark;
    m_compare = compare;
}

void PastVerbs::addTo(QMenu& thread)
{
    thread.addActions({ m_verbs.replay(), m_verbs.fork(), m_verbs.rerun(), m_verbs.runTo() });
}

QAction* PastVerbs::runToAction() const
{
    return m_verbs.runTo();
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

// Returns the last task of the thread that failed.
TaskRow PastVerbs::failedTask() const
{
    const std::vector<TaskRow>& tasks = m_history->rows().tasks;
    const auto failed = std::find_if(tasks.rbegin(), tasks.rend(),
                                     [](const TaskRow& task) { return task.outcome == TaskOutcome::Failed; });
    return failed == tasks.rend() ? TaskRow() : *failed;
}

void PastVerbs::updateFailure()
{
    m_goToFailure->setEnabled(!failedTask().task.isEmpty());
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
    menu->addActions({ m_verbs.replay(), m_verbs.fork() });
    if (!m_selection->node().isEmpty()) {
        menu->addSeparator();
        menu->addActions({ m_verbs.rerun(), m_verbs.runTo() });
    }
    menu->addSeparator();
    menu->addActions({ m_compare, m_bookmark, m_timeline->nestedAction() });
    menu->popup(at);
}

} // namespace sg::ui
