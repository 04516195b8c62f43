#include "ui/bridge/sessions/sessions_client.h"

#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/sessions/session_query.h"
#include "ui/bridge/sessions/terminal_line.h"
#include "ui/bridge/sessions/terminal_service.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>

#include <chrono>
#include <cmath>

namespace sg::ui {
namespace {

UserError errorOf(const Result<void>& done)
{
    return done ? UserError() : userError(done.error());
}

} // namespace

SessionsClient::SessionsClient(OpenProject& project)
    : Client(project)
    , m_list(*this)
    , m_completion(*this)
{
    m_cells.setMaxThreadCount(16);
    m_terminals.setMaxThreadCount(16);
    const LiveEvents* live = &access().live();
    connect(live, &LiveEvents::samplesAdded, this, &SessionsClient::samplesAdded);
    connect(live, &LiveEvents::sessionNoted, this, &SessionsClient::sessionNoted);
    connect(live, &LiveEvents::sessionsChanged, this, &SessionsClient::refreshSessions);
    connect(live, &LiveEvents::runFinished, this, &SessionsClient::refreshSessions);
    connect(&project, &OpenProject::opened, this, [this] {
        closeAll();
        refreshSessions(); // ended sessions are stored
    });
}

SessionsClient::~SessionsClient()
{
    closeAll();
    m_cells.waitForDone();
    m_terminals.waitForDone();
}

void SessionsClient::closeAll()
{
    for (auto& [thread, stop] : m_cellStops)
        stop.request_stop();
    m_cellStops.clear();
    for (const auto& known : m_lines)
        if (const auto line = known.lock())
            line->close();
    m_lines.clear();
}

void SessionsClient::refreshSessions()
{
    m_list.ask(
        readers(), [](workbench::Workbench& workbench) { return readSessions(workbench); },
        [this](const std::vector<SessionRow>& rows) { Q_EMIT sessionsChanged(rows); });
}

// Does something to a session that may fail, then reads the list again.
template<typename Work>
void SessionsClient::change(Work work)
{
    ask(access().pools().verbs, std::move(work), [this](const UserError& error) {
        if (!error.what.isEmpty())
            fail(error);
        refreshSessions();
    });
}

void SessionsClient::stopSession(const QString& session)
{
    change([id = SessionId(utf8(session))](workbench::Workbench& workbench) {
        return errorOf(workbench.sessions().stop(id));
    });
}

void SessionsClient::pauseSession(const QString& session, bool pause)
{
    change([id = SessionId(utf8(session)), pause](workbench::Workbench& workbench) {
        return errorOf(pause ? workbench.sessions().pause(id) : workbench.sessions().unpause(id));
    });
}

void SessionsClient::extendSession(const QString& session, int minutes)
{
    change([id = SessionId(utf8(session)), minutes](workbench::Workbench& workbench) {
        return errorOf(workbench.sessions().extend(id, std::chrono::minutes(minutes)));
    });
}

void SessionsClient::restartSession(const QString& session)
{
    change([session](workbench::Workbench& workbench) { return restart(workbench, session); });
}

void SessionsClient::setSessionLimits(const QString& session, const SessionLimits& limits)
{
    change([session, limits](workbench::Workbench& workbench) {
        for (const sessions::SessionInfo& info : workbench.sessions().list()) {
            if (text(info.id.value) != session)
                continue;
            sandbox::Limits wanted = info.limits;
            wanted.memoryBytes = std::llround(limits.memoryBytes);
            wanted.pids = limits.pids;
            wanted.cpus = limits.cpus;
            return errorOf(workbench.sessions().setLimits(info.id, wanted));
        }
        return UserError{ tr("Session %1 has ended: its limits cannot be changed.").arg(session), {} };
    });
}

void SessionsClient::loadSessionPast(const QString& session)
{
    ask(
        readers(), [session](workbench::Workbench& workbench) { return readSessionPast(workbench, session); },
        [this](const Answer<SessionPast>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT sessionPastLoaded(answer.value);
            else
                fail(answer.error);
        });
}

void SessionsClient::loadProcesses(const QString& session)
{
    ask(
        access().pools().looks,
        [session](workbench::Workbench& workbench) { return readProcesses(workbench, session); },
        [this](const ProcessList& processes) { Q_EMIT processesLoaded(processes); });
}

void SessionsClient::runCell(const QString& thread, const QString& code)
{
    if (!isOpen())
        return;
    if (runsCell(thread)) {
        Q_EMIT cellEnded(thread,
                         { false, {}, tr("A cell is under way in this session already."), 0, 0, false });
        return;
    }
    const std::stop_token stop = m_cellStops[thread].get_token();
    access().noteCell(thread, true);
    const QPointer<SessionsClient> self(this);
    const auto print = [self, thread, asked = access().generation()](std::vector<LogRow> rows) {
        QMetaObject::invokeMethod(
            qApp,
            [self, thread, asked, rows = std::move(rows)] {
                if (self && self->access().generation() == asked)
                    Q_EMIT self->cellPrinted(thread, rows);
            },
            Qt::QueuedConnection);
    };
    askAside(
        m_cells,
        [thread, code, print, stop](workbench::Workbench& workbench) {
            return executeCell(workbench, thread, code, print, stop);
        },
        [this, thread, asked = access().generation()](const CellEnd& end) {
            if (asked != access().generation())
                return;
            m_cellStops.erase(thread);
            access().noteCell(thread, false);
            Q_EMIT cellEnded(thread, end);
            refreshSessions();
        });
}

void SessionsClient::stopCell(const QString& thread)
{
    if (const auto stop = m_cellStops.find(thread); stop != m_cellStops.end())
        stop->second.request_stop();
}

void SessionsClient::completeCode(const QString& thread, const QString& code, int cursor)
{
    m_completion.ask(
        access().pools().looks,
        [thread, code, cursor](workbench::Workbench& workbench) {
            return complete(workbench, thread, code, cursor);
        },
        [this](const CodeCompletion& completion) { Q_EMIT codeCompleted(completion); });
}

void SessionsClient::openTerminal(const QString& session, const std::shared_ptr<TerminalLine>& line)
{
    if (!isOpen())
        return;
    std::erase_if(m_lines, [](const auto& known) { return known.expired(); });
    m_lines.push_back(line);
    askAside(
        m_terminals,
        [session, line](workbench::Workbench& workbench) {
            line->end(runTerminal(workbench, session, *line));
            return true;
        },
        [](bool) {});
}

} // namespace sg::ui
