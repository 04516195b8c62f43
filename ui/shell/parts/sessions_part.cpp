#include "ui/shell/parts/sessions_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/run_bar.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/status_line.h"
#include "ui/terminal/terminal_panel.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

// Whether one of the thread's sessions lived before and does not now.
bool oneHasEnded(const std::vector<SessionRow>& before, const std::vector<SessionRow>& now,
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

SessionsPart::SessionsPart(const WindowParts& parts, SessionPanel& session, TerminalPanel& terminal,
                           WorldPart& world, RunBar& runBar)
    : WindowPart(parts)
    , m_session(&session)
    , m_terminal(&terminal)
    , m_world(&world)
{
    using Panel = SessionPanel;
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, this, &SessionsPart::takeSessions);
    connect(&m_clients->sessions, &SessionsClient::sessionNoted, this, &SessionsPart::takeNote);
    followSelection();
    connect(&m_clients->sessions, &SessionsClient::samplesAdded, m_session, &Panel::addSamples);
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, [this](const HistoryRows& rows) {
        if (rows.thread == m_selection->thread())
            m_session->setTasks(rows.tasks);
    });
    connect(&m_clients->runs, &RunsClient::tasksChanged, this,
            [this](const QString& thread, const std::vector<TaskRow>& changed) {
                if (thread == m_selection->thread())
                    m_session->changeTasks(changed);
            });
    connect(&m_clients->sessions, &SessionsClient::sessionPastLoaded, m_session, &Panel::setPast);
    connect(&m_clients->sessions, &SessionsClient::sessionNoted, m_session, &Panel::addNote);
    connect(&m_clients->sessions, &SessionsClient::processesLoaded, m_session, &Panel::setProcesses);
    connect(&m_clients->sessions, &SessionsClient::cellPrinted, m_session, &Panel::printCell);
    connect(&m_clients->sessions, &SessionsClient::cellEnded, m_session, &Panel::endCell);
    connect(&m_clients->sessions, &SessionsClient::codeCompleted, m_session, &Panel::showCompletion);
    connect(m_session, &Panel::modeRequested, &runBar, &RunBar::modeRequested);
    connect(m_session, &Panel::stopRequested, &m_clients->sessions, &SessionsClient::stopSession);
    connect(m_session, &Panel::restartRequested, &m_clients->sessions, &SessionsClient::restartSession);
    connect(m_session, &Panel::pauseRequested, &m_clients->sessions, &SessionsClient::pauseSession);
    connect(m_session, &Panel::extendRequested, &m_clients->sessions, &SessionsClient::extendSession);
    connect(m_session, &Panel::limitsRequested, &m_clients->sessions, &SessionsClient::setSessionLimits);
    connect(m_session, &Panel::pastRequested, &m_clients->sessions, &SessionsClient::loadSessionPast);
    connect(m_session, &Panel::processesRequested, &m_clients->sessions, &SessionsClient::loadProcesses);
    connect(m_session, &Panel::cellEntered, &m_clients->sessions, &SessionsClient::runCell);
    connect(m_session, &Panel::cellStopRequested, &m_clients->sessions, &SessionsClient::stopCell);
    connect(m_session, &Panel::completionWanted, &m_clients->sessions, &SessionsClient::completeCode);
    connect(m_terminal, &TerminalPanel::openRequested, &m_clients->sessions, &SessionsClient::openTerminal);
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, m_terminal, &TerminalPanel::setSessions);
    connect(m_selection, &Selection::threadChanged, m_terminal, &TerminalPanel::setThread);
    connect(m_session, &Panel::momentRequested, this, [this](double time) { m_history->goToMoment(time); });
}

void SessionsPart::followSelection()
{
    connect(m_selection, &Selection::threadChanged, this, [this](const QString& thread) {
        m_session->setThread(thread);
        m_parts.status->setSessions(m_sessions, thread);
    });
    connect(m_history, &ShownHistory::momentChanged, this, &SessionsPart::showMoment);
}

void SessionsPart::showMoment()
{
    m_session->setMoment(m_history->moment());
    m_terminal->setMoment(m_history->moment());
}

// With a session ended what slept there: no checkpoint is exact any more.
void SessionsPart::takeSessions(const std::vector<SessionRow>& sessions)
{
    const QString thread = m_selection->thread();
    const bool ended = oneHasEnded(std::exchange(m_sessions, sessions), sessions, thread);
    m_session->setSessions(sessions);
    m_parts.status->setSessions(sessions, thread);
    if (ended && !m_book->isRunning(thread))
        readHistory();
}

// So it did with a sandbox that died and was replaced between two lists.
void SessionsPart::takeNote(const QString& session, const SessionNoteRow& note)
{
    const QString thread = m_selection->thread();
    const bool isShown = std::ranges::any_of(
        m_sessions, [&](const SessionRow& row) { return row.session == session && row.thread == thread; });
    if (isShown && note.event == QLatin1String("restarted") && !m_book->isRunning(thread))
        readHistory();
}

void SessionsPart::readHistory()
{
    m_parts.feed->readHistory();
    m_world->show();
}

} // namespace sg::ui
