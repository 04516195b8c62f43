#include "ui/artifacts/artifacts_panel.h"
#include "ui/logs/log_panel.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/banner.h"

#include <QPushButton>

#include <algorithm>

// Runs, and the thread and checkpoint that all panels show.
namespace sg::ui {

void MainWindow::connectRuns()
{
    connect(m_runBar, &RunBar::runRequested, this, [this](const QString& thread, const QString& input) {
        showThread(thread);
        m_bridge->startRun(thread, input);
    });
    connect(m_runBar, &RunBar::stopRequested, m_bridge, &ProjectBridge::stopRun);
    connect(m_runBar, &RunBar::threadChosen, this, &MainWindow::showThread);
    connect(m_threads, &ThreadList::threadSelected, this, &MainWindow::showThread);
    connect(m_threads, &ThreadList::runRequested, this, [this] {
        if (m_runBar->thread().isEmpty())
            m_runBar->setThread(tr("main"));
        m_runBar->runAction()->trigger();
    });
    connect(m_interrupt, &InterruptCard::answered, this,
            [this](const QString& json) { m_bridge->answer(m_thread, json); });
    connect(m_bridge, &ProjectBridge::threadsLoaded, this, &MainWindow::showThreads);
    connect(m_bridge, &ProjectBridge::runStarted, this,
            [this](const QString& thread, const QString&) { runStarted(thread); });
    connect(m_bridge, &ProjectBridge::runRefused, this,
            [this](const QString&, const UserError& error) { showError(error); });
    connect(m_bridge, &ProjectBridge::runFinished, this, &MainWindow::runEnded);
    connect(m_bridge, &ProjectBridge::tasksChanged, this, &MainWindow::taskChanged);
    connect(m_bridge, &ProjectBridge::checkpointsAdded, this, &MainWindow::checkpointsAdded);
}

void MainWindow::connectPanels()
{
    connect(m_timeline, &TimelinePanel::checkpointSelected, this, &MainWindow::showCheckpoint);
    connect(m_bridge, &ProjectBridge::historyLoaded, this, [this](const HistoryRows& rows) {
        if (rows.thread != m_thread)
            return;
        m_history = rows;
        m_timeline->setHistory(rows);
        m_timeline->setCurrent(m_checkpoint);
        m_status->setCheckpoints(static_cast<int>(rows.checkpoints.size()));
        showNodeStates();
    });
    connect(m_bridge, &ProjectBridge::stateLoaded, this, [this](const StateView& state) {
        if (state.thread != m_thread)
            return;
        m_state->setState(state);
        m_interrupt->setInterrupts(m_checkpoint.isEmpty() && !isRunning(m_thread) ? state.interrupts
                                                                                  : ValueList());
    });
    connect(m_bridge, &ProjectBridge::logLoaded, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread == m_thread)
                    m_log->setRows(rows);
            });
    connect(m_bridge, &ProjectBridge::logAppended, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread == m_thread)
                    m_log->append(rows);
            });
    connect(m_bridge, &ProjectBridge::artifactsLoaded, m_artifacts, &ArtifactsPanel::setArtifacts);
    connect(m_bridge, &ProjectBridge::artifactsAdded, this, [this](const QString& thread) {
        if (thread == m_thread)
            m_bridge->loadArtifacts(thread);
    });
    connect(m_artifacts, &ArtifactsPanel::previewRequested, m_bridge, &ProjectBridge::loadPreview);
    connect(m_artifacts, &ArtifactsPanel::stageRequested, m_bridge, &ProjectBridge::stageArtifacts);
    connect(m_artifacts, &ArtifactsPanel::exportRequested, m_bridge, &ProjectBridge::exportArtifacts);
    connect(m_bridge, &ProjectBridge::previewLoaded, m_artifacts, &ArtifactsPanel::setPreview);
    connect(m_bridge, &ProjectBridge::staged, m_artifacts, &ArtifactsPanel::setStaged);
    connect(m_bridge, &ProjectBridge::exported, m_artifacts, &ArtifactsPanel::setExported);
    connect(m_bridge, &ProjectBridge::sessionsChanged, this, [this](const std::vector<SessionRow>& sessions) {
        m_sessions = sessions;
        m_session->setSessions(sessions);
        m_status->setSessions(sessions, m_thread);
    });
    connect(m_bridge, &ProjectBridge::samplesAdded, m_session, &SessionPanel::addSamples);
    connect(m_session, &SessionPanel::stopRequested, m_bridge, &ProjectBridge::stopSession);
}

void MainWindow::showThreads(const std::vector<ThreadRow>& rows)
{
    m_threads->setThreads(rows);
    m_runBar->setThreads(m_threads->threads());
    m_status->setWaiting(
        static_cast<int>(std::ranges::count(rows, QStringLiteral("interrupted"), &ThreadRow::status)));
    if (m_thread.isEmpty())
        showThread(rows.empty() ? tr("main") : rows.front().thread);
    else
        m_threads->setCurrent(m_thread);
}

bool MainWindow::isRunning(const QString& thread) const
{
    return m_threads->status(thread) == QLatin1String("running");
}

void MainWindow::showThread(const QString& thread)
{
    if (thread == m_thread && !thread.isEmpty())
        return;
    m_thread = thread;
    m_history = {};
    m_history.thread = thread;
    m_runBar->setThread(thread);
    m_runBar->setRunning(isRunning(thread));
    m_threads->setCurrent(thread);
    m_timeline->clear();
    m_log->clear();
    m_artifacts->clear();
    m_interrupt->setInterrupts({});
    m_session->setThread(thread);
    m_status->setSessions(m_sessions, thread);
    m_status->setCheckpoints(0);
    if (!thread.isEmpty() && m_threads->threads().contains(thread)) {
        m_bridge->loadHistory(thread);
        m_bridge->loadLog(thread);
        m_bridge->loadArtifacts(thread);
    }
    m_checkpoint.clear();
    showCheckpoint({});
}

void MainWindow::showCheckpoint(const QString& checkpoint)
{
    m_checkpoint = checkpoint == m_timeline->head() ? QString() : checkpoint;
    m_timeline->setCurrent(m_checkpoint);
    if (m_history.checkpoints.empty() && !m_threads->threads().contains(m_thread))
        m_state->clear();
    else
        m_bridge->loadState(m_thread, m_checkpoint);
    showViewing();
    showNodeStates();
}

void MainWindow::showViewing()
{
    const auto row = std::ranges::find(m_history.checkpoints, m_checkpoint, &CheckpointRow::id);
    m_graph->setViewingPast(row != m_history.checkpoints.end());
    if (row == m_history.checkpoints.end()) {
        m_viewing->hide();
        return;
    }
    const QString after = row->after.isEmpty() ? row->source : row->after.join(QStringLiteral(", "));
    const QString next = row->next.isEmpty() ? tr("the end") : row->next.join(QStringLiteral(", "));
    m_viewing->clearActions();
    m_viewing->showMessage(Banner::Kind::Viewing,
                           tr("**Viewing step %1**  after %2 → %3").arg(row->step).arg(after, next));
    QPushButton* back = m_viewing->addButton(tr("Return to head"));
    connect(back, &QPushButton::clicked, this, [this] { showCheckpoint({}); });
}

void MainWindow::showNodeStates()
{
    m_graph->showHistory(m_history, m_checkpoint);
}

void MainWindow::runStarted(const QString& thread)
{
    m_threads->setStatus(thread, QStringLiteral("running"));
    m_runBar->setThreads(m_threads->threads());
    if (thread != m_thread)
        return;
    m_runBar->setRunning(true);
    m_interrupt->setInterrupts({});
    showCheckpoint({}); // a run is watched at its head
}

void MainWindow::checkpointsAdded(const QString& thread, const std::vector<CheckpointRow>& added)
{
    if (thread != m_thread)
        return;
    m_history.checkpoints.insert(m_history.checkpoints.end(), added.begin(), added.end());
    m_timeline->addCheckpoints(added);
    m_status->setCheckpoints(static_cast<int>(m_history.checkpoints.size()));
    if (m_checkpoint.isEmpty())
        m_bridge->loadState(thread, {});
    showNodeStates();
}

void MainWindow::taskChanged(const QString& thread, const std::vector<TaskRow>& changed)
{
    if (thread != m_thread)
        return;
    for (const TaskRow& row : changed) {
        const auto known = std::ranges::find_if(m_history.tasks, [&row](const TaskRow& task) {
            return task.task == row.task && task.checkpoint == row.checkpoint;
        });
        if (known == m_history.tasks.end())
            m_history.tasks.push_back(row);
        else
            *known = row;
    }
    m_timeline->changeTasks(changed);
    showNodeStates();
}

void MainWindow::runEnded(const QString& thread, const QString& status, const UserError& error)
{
    m_threads->setStatus(thread,
                         status == QLatin1String("recursion_limit") ? QStringLiteral("failed") : status);
    if (!error.what.isEmpty())
        showError(error);
    if (thread != m_thread)
        return;
    m_runBar->setRunning(false);
    if (m_checkpoint.isEmpty())
        m_bridge->loadState(thread, {});
    m_bridge->loadArtifacts(thread);
}

} // namespace sg::ui
