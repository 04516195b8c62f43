#include "ui/shell/parts/sessions_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/sessions/session_panel.h"
#include "ui/terminal/terminal_panel.h"

namespace sg::ui {

SessionsPart::SessionsPart(const WindowParts& parts, SessionPanel& session, TerminalPanel& terminal,
                           RunBar& runBar)
    : WindowPart(parts)
    , m_session(&session)
    , m_terminal(&terminal)
{
    using Panel = SessionPanel;
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
    connect(m_session, &Panel::momentRequested, this,
            [this](double time) { m_history->goTo(m_history->at(time)); });
}

} // namespace sg::ui
