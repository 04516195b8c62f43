#include "core/sessions/manager/left_snapshots.h"
#include "core/sessions/manager/session_care.h"
#include "core/sessions/manager/session_manager_impl.h"

#include <algorithm>
#include <utility>

// Operations on a session by its id, also where another program has it.
namespace sg::sessions {

std::vector<SessionInfo> SessionManager::list()
{
    std::vector<SessionInfo> infos;
    for (const auto& session : m_impl->living())
        infos.push_back(session->info());
    for (const FoundSession& found : findSessions(m_impl->backends, m_impl->options.project)) {
        const bool isListed = std::ranges::any_of(
            infos, [&](const SessionInfo& info) { return info.id == found.sandbox.session; });
        if (isListed)
            continue;
        if (auto info = describeFound(found, m_impl->records.get()))
            infos.push_back(std::move(*info));
    }
    return infos;
}

Result<void> SessionManager::stop(const SessionId& id)
{
    if (const auto session = m_impl->findLiving(id)) {
        session->end();
        return {};
    }
    for (const FoundSession& found : findSessions(m_impl->backends, m_impl->options.project))
        if (found.sandbox.session == id) {
            storeLeftSnapshots(found, m_impl->options, m_impl->records.get());
            auto removed = found.backend->remove(found.sandbox);
            SessionInfo info;
            info.id = id;
            if (removed)
                m_impl->record(SessionEvent::Kind::Ended, info, std::string(SessionState::kWasAsked));
            return removed;
        }
    return noSession(id);
}

Result<void> SessionManager::pause(const SessionId& id)
{
    if (const auto session = m_impl->findLiving(id))
        return session->pause();
    auto done = withKept(m_impl->backends, m_impl->options.project, m_impl->records.get(), id,
                         [](sandbox::Sandbox& sandbox) { return sandbox.pause(); });
    if (done && m_impl->records)
        static_cast<void>(m_impl->records->note(id, { m_impl->clock.now(), SessionEventKind::Paused, {} }));
    return done;
}

Result<void> SessionManager::unpause(const SessionId& id)
{
    if (const auto session = m_impl->findLiving(id))
        return session->unpause();
    auto done = withKept(m_impl->backends, m_impl->options.project, m_impl->records.get(), id,
                         [](sandbox::Sandbox& sandbox) { return sandbox.unpause(); });
    if (done && m_impl->records) {
        static_cast<void>(m_impl->records->note(id, { m_impl->clock.now(), SessionEventKind::Unpaused, {} }));
        static_cast<void>(m_impl->records->used(id, m_impl->clock.now(), 0));
    }
    return done;
}

Result<void> SessionManager::setLimits(const SessionId& id, const sandbox::Limits& limits)
{
    if (const auto session = m_impl->findLiving(id))
        return session->setLimits(limits);
    auto done = withKept(m_impl->backends, m_impl->options.project, m_impl->records.get(), id,
                         [&](sandbox::Sandbox& sandbox) { return sandbox.setLimits(limits); });
    if (done && m_impl->records) {
        static_cast<void>(m_impl->records->setLimits(id, limits));
        static_cast<void>(m_impl->records->note(
            id, { m_impl->clock.now(), SessionEventKind::LimitsChanged, "its limits are changed" }));
    }
    return done;
}

Result<void> SessionManager::extend(const SessionId& id, std::chrono::milliseconds fromNow)
{
    if (!m_impl->records)
        return Error{ Errc::Unsupported, "sessions are not recorded here, so they cannot be extended" };
    const auto record = m_impl->records->find(id);
    if (!record)
        return record.error();
    if (!*record || (*record)->hasEnded())
        return *record ? Error{ Errc::NotFound, "session " + id.value + " " + (*record)->info.state.text() }
                       : noSession(id);
    const WallTime now = m_impl->clock.now();
    if (auto done = m_impl->records->extend(id, now + fromNow); !done)
        return done;
    const auto lasts = (*record)->extendedUntil; // perhaps later already
    const auto most =
        lasts ? std::max(fromNow, std::chrono::ceil<std::chrono::milliseconds>(*lasts - now)) : fromNow;
    if (const auto session = m_impl->findLiving(id))
        session->extend(most);
    else if ((*record)->keep) // paused, or used by another program: the time counts once that leaves it
        static_cast<void>(withKept(m_impl->backends, m_impl->options.project, m_impl->records.get(), id,
                                   [&](sandbox::Sandbox& sandbox) -> Result<void> {
                                       if (sandbox.isPaused())
                                           return {};
                                       // A hello would make the runner deliver what it keeps for the program
                                       // that takes it up.
                                       RunnerLink link(sandbox.stream(), [](const Frame&) {});
                                       tellOrphanTime(link, most, (*record)->lifetime.idle);
                                       return {};
                                   }));
    const std::string text = "it may live on for " + durationText(fromNow) + " from now";
    auto noted = m_impl->records->note(id, { now, SessionEventKind::Extended, text });
    const auto living = m_impl->findLiving(id);
    m_impl->events.publish(
        { SessionEvent::Kind::Extended, living ? living->info() : (*record)->info, {}, text });
    return noted;
}

Result<int> SessionManager::sweepOrphans()
{
    int removed = 0;
    for (const FoundSession& found : findSessions(m_impl->backends, m_impl->options.project)) {
        const sandbox::FoundSandbox& one = found.sandbox;
        if (one.kept || holderOf(one, m_impl->records.get()) != Holder::Nobody)
            continue;
        if (auto gone = found.backend->remove(one); !gone)
            return std::move(gone.error()).during("remove the orphaned sandbox " + one.name);
        SessionInfo info;
        info.id = one.session;
        m_impl->record(SessionEvent::Kind::Ended, info, "its program is gone, and nobody took it up again");
        ++removed;
    }
    return removed;
}

Result<std::vector<Garbage>> SessionManager::collectGarbage(bool dryRun, std::chrono::hours recordsFor)
{
    return collectGarbageOf(m_impl->backends, m_impl->options.project, m_impl->records.get(),
                            { m_impl->clock.now(), dryRun, recordsFor }, [this](const FoundSession& found) {
                                storeLeftSnapshots(found, m_impl->options, m_impl->records.get());
                            });
}

} // namespace sg::sessions
