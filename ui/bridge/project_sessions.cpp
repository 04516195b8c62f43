#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"
#include "ui/bridge/session_query.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>

#include <chrono>
#include <cmath>

// Sessions: what is asked about them and done to them.
namespace sg::ui {

void ProjectBridge::refreshSessions()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench] { return readSessions(*workbench); },
        [this, asked = ++m_impl->sessionLists](const std::vector<SessionRow>& rows) {
            if (asked == m_impl->sessionLists)
                Q_EMIT sessionsChanged(rows);
        });
}

// Does something that may fail to a session; the list follows.
template<typename Work>
void ProjectBridge::changeSession(Work work)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->verbs, [workbench = m_impl->workbench, work] { return work(*workbench); },
        [this](const UserError& error) {
            if (!error.what.isEmpty())
                Q_EMIT queryFailed(error);
            refreshSessions();
        });
}

namespace {

UserError errorOf(const Result<void>& done)
{
    return done ? UserError() : userError(done.error());
}

} // namespace

void ProjectBridge::stopSession(const QString& session)
{
    changeSession([id = SessionId(utf8(session))](workbench::Workbench& workbench) {
        return errorOf(workbench.sessions().stop(id));
    });
}

void ProjectBridge::pauseSession(const QString& session, bool pause)
{
    changeSession([id = SessionId(utf8(session)), pause](workbench::Workbench& workbench) {
        return errorOf(pause ? workbench.sessions().pause(id) : workbench.sessions().unpause(id));
    });
}

void ProjectBridge::extendSession(const QString& session, int minutes)
{
    changeSession([id = SessionId(utf8(session)), minutes](workbench::Workbench& workbench) {
        return errorOf(workbench.sessions().extend(id, std::chrono::minutes(minutes)));
    });
}

void ProjectBridge::restartSession(const QString& session)
{
    changeSession([session](workbench::Workbench& workbench) { return restart(workbench, session); });
}

void ProjectBridge::setSessionLimits(const QString& session, const SessionLimits& limits)
{
    changeSession([session, limits](workbench::Workbench& workbench) {
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

void ProjectBridge::loadSessionPast(const QString& session)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, session] { return readSessionPast(*workbench, session); },
        [this](const Answer<SessionPast>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT sessionPastLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadProcesses(const QString& session)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->looks,
        [workbench = m_impl->workbench, session] { return readProcesses(*workbench, session); },
        [this](const ProcessList& processes) { Q_EMIT processesLoaded(processes); });
}

void ProjectBridge::runCell(const QString& thread, const QString& code)
{
    if (!isOpen())
        return;
    if (m_impl->cellStops.contains(thread)) {
        Q_EMIT cellEnded(thread,
                         { false, {}, tr("A cell is under way in this session already."), 0, 0, false });
        return;
    }
    const std::stop_token stop = m_impl->cellStops[thread].get_token();
    const QPointer<ProjectBridge> self(this);
    const auto print = [self, thread, asked = m_impl->generation](std::vector<LogRow> rows) {
        QMetaObject::invokeMethod(
            qApp,
            [self, thread, asked, rows = std::move(rows)] {
                if (!self || self->m_impl->generation != asked)
                    return;
                Q_EMIT self->cellPrinted(thread, rows);
                self->m_impl->tellLog(thread, rows);
            },
            Qt::QueuedConnection);
    };
    m_impl->ask(
        m_impl->cells,
        [workbench = m_impl->workbench, thread, code, print, stop] {
            return executeCell(*workbench, thread, code, print, stop);
        },
        [this, thread](const CellEnd& end) {
            m_impl->cellStops.erase(thread);
            followDatabase();
            Q_EMIT cellEnded(thread, end);
            if (end.artifacts > 0)
                Q_EMIT artifactsAdded(thread);
            refreshSessions();
        });
}

void ProjectBridge::stopCell(const QString& thread)
{
    if (const auto stop = m_impl->cellStops.find(thread); stop != m_impl->cellStops.end())
        stop->second.request_stop();
}

void ProjectBridge::completeCode(const QString& thread, const QString& code, int cursor)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->completions;
    m_impl->ask(
        m_impl->looks,
        [workbench = m_impl->workbench, thread, code, cursor] {
            return complete(*workbench, thread, code, cursor);
        },
        [this, asked](const CodeCompletion& completion) {
            if (asked == m_impl->completions)
                Q_EMIT codeCompleted(completion);
        });
}

} // namespace sg::ui
