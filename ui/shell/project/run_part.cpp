#include "ui/shell/project/run_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/run_bar.h"
#include "ui/selection/pause.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/parts/run_banners.h"
#include "ui/shell/project/last_project.h"
#include "ui/shell/project/runtime_part.h"
#include "ui/shell/project/saving.h"
#include "ui/shell/status_line.h"

#include <QAction>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace sg::ui {

RunPart::RunPart(const WindowParts& parts, const Others& others)
    : WindowPart(parts)
    , m_bar(parts.runBar)
    , m_others(others)
{
    connectBar();
    connect(m_book, &ThreadBook::listed, this, &RunPart::showThreads);
    connect(m_book, &ThreadBook::statusChanged, this, &RunPart::showStatus);
    connect(m_book, &ThreadBook::deletedChanged, this, [this] { m_bar->setThreads(m_book->threads()); });
    connect(m_selection, &Selection::threadChanged, this, &RunPart::showThread);
    const auto count = [this] { m_parts.status->setCheckpoints(static_cast<int>(m_history->total())); };
    connect(m_history, &ShownHistory::wentOn, this, count);
    connect(m_history, &ShownHistory::changed, this, [count](const HistoryChange& change) {
        if (!change.isLive())
            count();
    });
    connect(&m_clients->history, &HistoryClient::stateLoaded, this, &RunPart::takeState);
    connect(&m_clients->runs, &RunsClient::runStarted, this, &RunPart::runStarted);
    connect(&m_clients->runs, &RunsClient::runRefused, this,
            [this](const QString& thread, const UserError& error) {
                m_others.banners.tellRefused(thread, error);
            });
    connect(&m_clients->runs, &RunsClient::runFinished, this, &RunPart::runEnded);
}

void RunPart::connectBar()
{
    connect(m_bar, &RunBar::runRequested, this, [this](const QString& thread, const QString& input) {
        saveAndRun(thread, [this, thread, input] { m_clients->runs.startRun(thread, input); });
    });
    connect(m_bar, &RunBar::resumeRequested, this, [this](const QString& thread) {
        saveAndRun(thread, [this, thread] { m_clients->runs.startRun(thread, {}); });
    });
    connect(m_bar, &RunBar::stepRequested, this, [this](const QString& thread) {
        saveAndRun(thread, [this, thread] { m_clients->runs.step(thread); });
    });
    connect(m_bar, &RunBar::pauseRequested, &m_clients->runs, &RunsClient::pauseRun);
    connect(m_bar, &RunBar::stopRequested, &m_clients->runs, &RunsClient::stopRun);
    connect(m_bar, &RunBar::threadChosen, m_selection, &Selection::setThread);
}

void RunPart::saveAndRun(const QString& thread, const std::function<void()>& run)
{
    if (!m_others.saving.takeField(tr("Run without it"), [this, thread, run] { saveAndRun(thread, run); }))
        return;
    m_selection->setThread(thread);
    const auto begin = [this, run] { m_others.saving.saveThen(run); };
    if (!m_others.runtime.holdsBack(begin))
        begin();
}

void RunPart::showThreads()
{
    const QStringList threads = m_book->threads();
    m_bar->setThreads(threads);
    const QString wanted = m_others.last.threadWanted(threads);
    if (m_selection->thread().isEmpty())
        m_selection->setThread(!wanted.isEmpty()            ? wanted
                                   : m_book->rows().empty() ? tr("main")
                                                            : m_book->rows().front().thread);
    for (const ThreadRow& row : m_book->rows())
        m_others.banners.noteStatus(row.thread, row.status);
    showStatus();
}

void RunPart::showThread(const QString& thread)
{
    m_bar->setThread(thread);
    m_standsBefore.clear();
    Q_EMIT failureStood(nullptr);
    showStatus();
}

void RunPart::showStatus()
{
    const RunStatus status = m_book->status(m_selection->thread());
    const bool isPaused = status == RunStatus::Interrupted && !m_standsBefore.isEmpty();
    const QStringList paused = isPaused ? m_standsBefore : QStringList();
    if (std::exchange(m_pausedBefore, paused) != paused)
        m_others.banners.tellPaused(paused, m_step);
    m_bar->setRunning(status == RunStatus::Running);
    m_bar->setPaused(paused.join(QStringLiteral(", ")));
    m_bar->setResumable(status == RunStatus::Failed || status == RunStatus::Stopped
                        || status == RunStatus::Unfinished || isPaused);
}

void RunPart::takeState(const StateView& state)
{
    if (state.thread != m_selection->thread() || !m_selection->checkpoint().isEmpty())
        return;
    m_standsBefore = standsBefore(state);
    m_step = state.step;
    showStatus();
    const auto failed = std::ranges::find(state.tasks, TaskOutcome::Failed, &TaskRow::outcome);
    const bool stands = failed != state.tasks.end() && !m_book->isRunning(state.thread)
        && !m_clients->project.info().isReadOnly;
    m_others.banners.tellStanding(state.thread, stands ? &*failed : nullptr);
    Q_EMIT failureStood(stands ? &*failed : nullptr);
}

void RunPart::runStarted(const QString& thread)
{
    m_banners->withdraw(BannerStack::Owner::Action);
    m_others.banners.noteStarted(thread);
    m_bar->setThreads(m_book->threads());
    if (thread != m_selection->thread())
        return;
    m_standsBefore.clear();
    showStatus();
    m_selection->returnToHead(); // a run is watched at its head
}

void RunPart::runEnded(const QString& thread, RunStatus status, const UserError& error)
{
    if (!error.what.isEmpty())
        m_others.banners.tellFailure(thread, error);
    m_others.banners.noteStatus(thread, status);
    if (status == RunStatus::Stopped)
        m_clients->history.refreshThreads(); // nothing waits there any more
    if (thread != m_selection->thread())
        return;
    showStatus();
    const QWidget* focus = m_window->focusWidget(); // who edits a node goes on with that one
    if (!error.node.isEmpty() && (focus == nullptr || !m_parts.inspector->isAncestorOf(focus)))
        m_selection->setNode(error.node);
}

} // namespace sg::ui
