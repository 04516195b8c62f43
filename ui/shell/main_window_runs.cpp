#include "ui/artifacts/artifacts_panel.h"
#include "ui/code/code_editor.h"
#include "ui/graph/panels/inspector.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/artifacts_part.h"
#include "ui/shell/parts/bookmarks.h"
#include "ui/shell/parts/failure_covers.h"
#include "ui/shell/parts/last_project.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/run_banners.h"
#include "ui/shell/parts/runtime_part.h"
#include "ui/shell/parts/saving.h"
#include "ui/shell/parts/session_tracks.h"
#include "ui/shell/parts/sessions_part.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/status_line.h"
#include "ui/state/state_panel.h"
#include "ui/storage/storage_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/world/files_panel.h"

#include <QTimer>

#include <algorithm>

// Runs, and the thread and checkpoint that all panels show.
namespace sg::ui {
namespace {

constexpr int kLiveMs = 120;

// Whether one of the thread's sessions lived before and does not now.
bool hasEnded(const std::vector<SessionRow>& before, const std::vector<SessionRow>& now,
              const QString& thread)
{
    const auto lives = [](const std::vector<SessionRow>& rows, const QString& session) {
        return std::ranges::any_of(rows, [&session](const SessionRow& row) {
            return row.session == session && !row.state.hasEnded();
        });
    };
    return std::ranges::any_of(before, [&](const SessionRow& row) {
        return row.thread == thread && lives(before, row.session) && !lives(now, row.session);
    });
}

} // namespace

void MainWindow::connectRuns()
{
    connect(m_runBar, &RunBar::runRequested, this, [this](const QString& thread, const QString& input) {
        saveAndRun(thread, [this, thread, input] { m_clients->runs.startRun(thread, input); });
    });
    connect(m_runBar, &RunBar::resumeRequested, this, [this](const QString& thread) {
        saveAndRun(thread, [this, thread] { m_clients->runs.startRun(thread, {}); });
    });
    connect(m_runBar, &RunBar::stepRequested, this, [this](const QString& thread) {
        saveAndRun(thread, [this, thread] { m_clients->runs.step(thread); });
    });
    connect(m_runBar, &RunBar::pauseRequested, &m_clients->runs, &RunsClient::pauseRun);
    connect(m_runBar, &RunBar::stopRequested, &m_clients->runs, &RunsClient::stopRun);
    connect(m_runBar, &RunBar::threadChosen, m_selection, &Selection::setThread);
    connect(m_threads, &ThreadList::threadSelected, m_selection, &Selection::setThread);
    connect(m_threads, &ThreadList::runRequested, this, [this] {
        if (m_runBar->thread().isEmpty())
            m_runBar->setThread(tr("main"));
        m_runBar->runAction()->trigger();
    });
    connect(m_interrupt, &InterruptCard::answered, this, [this](const QString& json) {
        m_clients->runs.answerOne(m_selection->thread(), m_interruptId, json);
    });
    connect(m_book, &ThreadBook::listed, this, &MainWindow::showThreads);
    connect(m_book, &ThreadBook::statusChanged, this, &MainWindow::showStatus);
    connect(&m_clients->runs, &RunsClient::runStarted, this,
            [this](const QString& thread, const QString&) { runStarted(thread); });
    connect(&m_clients->runs, &RunsClient::runRefused, this,
            [this](const QString& thread, const UserError& error) {
                m_replay->setRefused(thread, error.what);
                m_runBanners->tellRefused(thread, error);
            });
    connect(&m_clients->runs, &RunsClient::runFinished, this, &MainWindow::runEnded);
    m_liveSoon = new QTimer(this);
    m_liveSoon->setSingleShot(true);
    m_liveSoon->setInterval(kLiveMs);
    connect(m_liveSoon, &QTimer::timeout, this, &MainWindow::showLive);
    connect(&m_clients->runs, &RunsClient::innerChanged, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (thread != m_selection->thread())
                    return;
                m_timeline->addNamespaces(namespaces);
                m_graph->readInnerAgain(); // one of them may be shown there
            });
}

void MainWindow::saveAndRun(const QString& thread, const std::function<void()>& run)
{
    if (!m_saving->takeField(tr("Run without it"), [this, thread, run] { saveAndRun(thread, run); }))
        return;
    m_selection->setThread(thread);
    const auto begin = [this, run] { m_saving->saveThen(run); };
    if (!m_runtime->holdsBack(begin))
        begin();
}

void MainWindow::connectPanels()
{
    connect(m_graph, &CanvasPanel::inspectionRequested, this,
            [this] { m_docks->raise(m_graph->inspector()); });
    connect(m_selection, &Selection::threadChanged, this, &MainWindow::showThread);
    connect(m_selection, &Selection::checkpointChanged, this, &MainWindow::showCheckpoint);
    connectTimeline();
    connectState();
    connect(&m_clients->history, &HistoryClient::logLoaded, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread != m_selection->thread())
                    return;
                m_log->setRows(rows);
                m_timeline->setLog(rows);
            });
    connect(&m_clients->history, &HistoryClient::logAppended, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread != m_selection->thread())
                    return;
                m_log->append(rows);
                m_timeline->addLog(rows);
            });
    connect(m_log, &LogPanel::momentRequested, this, [this](const LogRow& row) {
        const QString made = m_history->afterTask(row.task);
        m_history->goTo(made.isEmpty() ? m_history->at(row.timeMs) : made);
    });
    m_artifactsPart = new ArtifactsPart(parts(), *m_artifacts);
    new FailureCovers(parts(), *m_threads, *m_overview, *m_log, *m_artifacts, *m_artifactsPart);
    m_threadFiles = new ThreadFiles(parts(), *m_storage);
    connect(m_threadFiles, &ThreadFiles::arrived, this, &MainWindow::followThread);
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, this,
            [this](const std::vector<SessionRow>& sessions) {
                const QString thread = m_selection->thread();
                const bool ended = hasEnded(m_sessions, sessions, thread);
                m_sessions = sessions;
                m_session->setSessions(sessions);
                m_status->setSessions(sessions, thread);
                if (ended
                    && !m_book->isRunning(
                        thread)) { // with it ended what slept there: no checkpoint is exact any more
                    m_clients->history.loadHistory(thread);
                    m_world->show();
                }
            });
    // So it did with a sandbox that died and was replaced between two lists.
    connect(&m_clients->sessions, &SessionsClient::sessionNoted, this,
            [this](const QString& session, const SessionNoteRow& note) {
                const QString thread = m_selection->thread();
                const bool isShown = std::ranges::any_of(m_sessions, [&](const SessionRow& row) {
                    return row.session == session && row.thread == thread;
                });
                if (!isShown || note.event != QLatin1String("restarted") || m_book->isRunning(thread))
                    return;
                m_clients->history.loadHistory(thread);
                m_world->show();
            });
    new SessionsPart(parts(), *m_session, *m_terminal, *m_runBar);
}

void MainWindow::connectTimeline()
{
    connect(m_history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (change.kind == HistoryChange::Kind::Added && !m_liveSoon->isActive())
            m_liveSoon->start();
        if (change.isLive())
            return;
        m_status->setCheckpoints(static_cast<int>(m_history->total()));
        showMoment(false);
    });
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, [this](const HistoryRows& rows) {
        if (rows.thread == m_selection->thread())
            m_clients->history.loadNamespaces(rows.thread);
    });
    connect(&m_clients->history, &HistoryClient::namespacesLoaded, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (thread == m_selection->thread())
                    m_timeline->setNamespaces(namespaces);
            });
    connect(m_timeline, &TimelinePanel::nestedWanted, this, [this](const QStringList& namespaces) {
        m_clients->history.loadNested(m_selection->thread(), namespaces);
    });
    connect(&m_clients->history, &HistoryClient::nestedLoaded, this,
            [this](const std::vector<HistoryRows>& runs) {
                if (!runs.empty() && runs.front().thread == m_selection->thread())
                    m_timeline->setNested(runs);
            });
}

void MainWindow::connectState()
{
    connect(&m_clients->history, &HistoryClient::stateFailed, this,
            [this](const QString& thread, const UserError& error) {
                if (thread == m_selection->thread())
                    m_state->setError(error);
            });
    connect(&m_clients->history, &HistoryClient::stateLoaded, this, [this](const StateView& state) {
        if (state.thread != m_selection->thread())
            return;
        StateView shown = state;
        if (isPaused(state))
            for (TaskRow& task : shown.tasks)
                task.outcome = QStringLiteral("paused");
        m_state->setState(shown);
        m_replay->setState(state);
        const bool isLive =
            m_selection->checkpoint().isEmpty() && !m_book->isRunning(state.thread) && !m_info.isReadOnly;
        m_interruptId = state.interrupts.empty()
            ? QString()
            : QString::fromStdString(state.interrupts.front().stringOr("id", ""));
        m_interrupt->setInterrupts(isLive ? state.interrupts : ValueList(),
                                   state.thread + QLatin1Char('/') + state.checkpoint);
        const QStringList paused = isPaused(state) ? state.next : QStringList();
        if (m_selection->checkpoint().isEmpty() && m_pausedBefore != paused) {
            m_pausedBefore = paused;
            m_runBanners->tellPaused(paused, state.step);
            showStatus();
        }
    });
}

void MainWindow::showThreads()
{
    const QStringList threads = m_book->threads();
    m_threads->setCanDelete(!m_info.isReadOnly);
    m_runBar->setThreads(threads);
    m_storage->setThreads(threads);
    const QString wanted = m_last->threadWanted(threads);
    if (m_selection->thread().isEmpty())
        m_selection->setThread(!wanted.isEmpty()            ? wanted
                                   : m_book->rows().empty() ? tr("main")
                                                            : m_book->rows().front().thread);
    else
        m_threads->setCurrent(m_selection->thread());
    for (const ThreadRow& row : m_book->rows())
        m_runBanners->noteStatus(row.thread, row.status);
    showStatus();
}

void MainWindow::showStatus()
{
    const QString status = m_book->status(m_selection->thread());
    const bool isPaused = status == QLatin1String("interrupted") && !m_pausedBefore.isEmpty();
    m_runBar->setRunning(status == QLatin1String("running"));
    m_runBar->setPaused(isPaused ? m_pausedBefore.join(QStringLiteral(", ")) : QString());
    m_runBar->setResumable(status == QLatin1String("failed") || status == QLatin1String("stopped")
                           || status == QLatin1String("unfinished") || isPaused);
}

// The thread stands before its next step and asks nobody: at a breakpoint, or where a person paused it.
bool MainWindow::isPaused(const StateView& state) const
{
    const auto hasRun = [](const TaskRow& task) { return task.outcome != QLatin1String("queued"); };
    return m_book->status(state.thread) == QLatin1String("interrupted") && m_selection->checkpoint().isEmpty()
        && !state.next.isEmpty() && state.interrupts.empty() && std::ranges::none_of(state.tasks, hasRun);
}

void MainWindow::showThread(const QString& thread)
{
    m_runBar->setThread(thread);
    m_pausedBefore.clear();
    m_runBanners->tellPaused({}, 0);
    showStatus();
    m_threads->setCurrent(thread);
    m_state->clear(); // never another thread's values under this one's name
    m_log->clear();
    m_interrupt->setInterrupts({});
    m_session->setThread(thread);
    m_status->setSessions(m_sessions, thread);
    if (!thread.isEmpty())
        m_clients->history.loadLog(thread); // cells may have printed before the first run
    showCheckpoint();
}

// What is shown stays: only what is new comes to it.
void MainWindow::followThread()
{
    const QString thread = m_selection->thread();
    if (!thread.isEmpty())
        m_clients->history.loadLog(thread); // another program's cells print before the first run, too
    m_feed->readHistory();
    if (!m_book->contains(thread))
        return;
    m_artifactsPart->load();
    m_clients->history.loadState(thread, m_selection->checkpoint(), m_selection->base());
    m_world->show();
}

void MainWindow::showCheckpoint()
{
    m_replay->setViewed(m_history->current());
    if (m_book->contains(m_selection->thread()))
        m_clients->history.loadState(m_selection->thread(), m_selection->checkpoint(), m_selection->base());
    else
        m_state->clear();
    showMoment(true);
}

void MainWindow::runStarted(const QString& thread)
{
    m_banners->withdraw(BannerStack::Owner::Action);
    m_runBanners->noteStarted(thread);
    m_runBar->setThreads(m_book->threads());
    if (thread != m_selection->thread())
        return;
    m_pausedBefore.clear();
    showStatus();
    m_interrupt->setInterrupts({});
    m_selection->returnToHead(); // a run is watched at its head
}

// A fast run makes more of it than anybody reads, and words that change lay the window out again.
void MainWindow::showLive()
{
    m_status->setCheckpoints(static_cast<int>(m_history->total()));
    if (!m_selection->checkpoint().isEmpty() || !m_book->contains(m_selection->thread()))
        return;
    m_clients->history.loadState(m_selection->thread(), {}, m_selection->base());
    m_world->show();
}

void MainWindow::runEnded(const QString& thread, const QString& status, const UserError& error)
{
    if (!error.what.isEmpty())
        m_runBanners->tellFailure(thread, error);
    m_runBanners->noteStatus(thread, status);
    if (status == QLatin1String("stopped"))
        m_clients->history.refreshThreads(); // nothing waits there any more
    if (thread != m_selection->thread())
        return;
    showStatus();
    if (m_selection->checkpoint().isEmpty())
        m_clients->history.loadState(thread, {}, m_selection->base());
    const QWidget* focus = focusWidget(); // who edits a node goes on with that one
    if (!error.node.isEmpty() && (focus == nullptr || !m_graph->inspector()->isAncestorOf(focus)))
        m_selection->setNode(error.node);
}

void MainWindow::showMoment(bool isChosen)
{
    const QString& checkpoint = m_selection->checkpoint();
    const double time = checkpoint.isEmpty() ? kUnknown : m_history->timeOf(checkpoint);
    m_log->setMoment(time, isChosen);
    m_session->setMoment(time);
}

} // namespace sg::ui
