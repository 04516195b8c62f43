#include "core/base/log.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/manager/session_manager_impl.h"

#include <utility>

// Checks the living sessions once a second, and records what happens to them.
namespace sg::sessions {
namespace {

constexpr std::size_t kMostSamples = 64; // in memory before they are stored
constexpr Millis kStoreEvery{ 5000 };

} // namespace

void SessionManager::Impl::record(SessionEvent::Kind kind, const SessionInfo& about, const std::string& text)
{
    if (!records || about.id.empty())
        return;
    const auto check = [](const Result<void>& done) {
        if (!done)
            logMessage(LogLevel::Warning, "a session's record: " + done.error().message);
    };
    check(records->note(about.id, { clock.now(), kind, text }));
    if (kind == SessionEvent::Kind::Ended) {
        countCells(about.id);
        check(records->setState(about.id, SessionState::ended(text)));
    }
    if (kind == SessionEvent::Kind::TakenOver) { // the other program has recorded itself, where it could
        const auto known = records->find(about.id);
        if (known && *known && (*known)->owner == sandbox::ownerMark(sandbox::ownProcess()))
            check(records->setState(about.id, SessionState::Kind::Released));
    }
    if (kind == SessionEvent::Kind::Paused || kind == SessionEvent::Kind::Unpaused)
        check(records->setState(about.id,
                                kind == SessionEvent::Kind::Paused ? SessionState::Kind::Paused
                                                                   : SessionState::Kind::Live));
    if (kind == SessionEvent::Kind::LimitsChanged)
        check(records->setLimits(about.id, about.limits));
    if (kind == SessionEvent::Kind::Restarted)
        if (const auto session = findLiving(about.id))
            recordStart(*session);
}

// Counts the cells since the watcher last looked.
void SessionManager::Impl::countCells(const SessionId& id)
{
    std::shared_ptr<SandboxSession> session;
    {
        const std::lock_guard lock(mutex);
        for (const auto& [key, slot] : slots)
            if (slot->session && slot->session->id() == id)
                session = slot->session;
    }
    if (!session)
        return;
    if (const SandboxSession::Use use = session->takeUse(); use.cells > 0)
        static_cast<void>(records->used(id, use.last, use.cells));
}

void SessionManager::Impl::recordStart(const SandboxSession& session) const
{
    if (!records)
        return;
    const SessionSpec spec = session.spec();
    SessionRecord record;
    record.info = session.info();
    record.image = spec.image;
    record.network = !spec.egress.empty();
    record.secrets = spec.secrets;
    record.askedLimits = spec.limits;
    record.datasetFolder = spec.datasetFolder.string();
    record.modules = modulesMark(spec.modules);
    record.keep = spec.keep;
    record.owner = sandbox::ownerMark(sandbox::ownProcess());
    record.lifetime = spec.lifetime;
    record.startedAt = session.startedAt();
    record.lastUsed = clock.now();
    if (auto noted = records->started(record); !noted)
        logMessage(LogLevel::Warning, "a session's record: " + noted.error().message);
}

void SessionManager::Impl::leave(SandboxSession& session)
{
    const SessionId id = session.info().id;
    const bool hasSandbox = session.link() != nullptr;
    session.leave();
    if (records && hasSandbox)
        static_cast<void>(records->setState(id, SessionState::Kind::Released));
}

std::vector<std::shared_ptr<SandboxSession>> SessionManager::Impl::living()
{
    std::vector<std::shared_ptr<SandboxSession>> sessions;
    const std::lock_guard lock(mutex);
    for (const auto& [key, slot] : slots)
        if (slot->session && !slot->session->hasEnded())
            sessions.push_back(slot->session);
    return sessions;
}

std::shared_ptr<SandboxSession> SessionManager::Impl::findLiving(const SessionId& id)
{
    for (auto& session : living())
        if (session->info().id == id)
            return session;
    return nullptr;
}

void SessionManager::Impl::endIfOver(const std::shared_ptr<SandboxSession>& over,
                                     const SandboxSession::Use& use)
{
    SandboxSession& session = *over;
    if (endings.contains(session.id()))
        return;
    const SessionSpec spec = session.spec();
    if (use.isBusy || spec.lifetime == Lifetime())
        return;
    SessionRecord record;
    record.lifetime = spec.lifetime;
    record.startedAt = session.startedAt();
    record.lastUsed = use.last;
    auto expiry = record.expiry();
    if (!expiry || expiry->at > clock.now())
        return;
    // This program or another one may have extended its lifetime.
    if (records)
        if (const auto known = records->find(session.info().id); known && *known)
            record.extendedUntil = (*known)->extendedUntil;
    expiry = record.expiry();
    if (expiry->at <= clock.now())
        endings.emplace(session.id(),
                        std::async(std::launch::async, [over, why = expiry->why] { over->end(why); }));
}

void SessionManager::Impl::look(const std::shared_ptr<SandboxSession>& looked)
{
    SandboxSession& session = *looked;
    session.tick();
    const SandboxSession::Use use = session.takeUse();
    const SessionInfo info = session.info();
    if (records && use.cells > 0)
        static_cast<void>(records->used(info.id, use.last, use.cells));
    if (auto sample = session.sample()) {
        if (records)
            samples.push_back({ info.id, *sample });
        events.publish({ SessionEvent::Kind::Sample, info, *sample, {} });
    }
    endIfOver(looked, use);
}

void SessionManager::Impl::store(bool all)
{
    const SteadyTime now = std::chrono::steady_clock::now();
    if (!records || samples.empty() || (!all && samples.size() < kMostSamples && now - stored < kStoreEvery))
        return;
    stored = now;
    if (auto added = records->addSamples(samples); !added)
        logMessage(LogLevel::Warning, "samples of sessions are lost: " + added.error().message);
    samples.clear();
}

void SessionManager::Impl::watch(const std::stop_token& stop)
{
    while (true) {
        {
            std::unique_lock lock(mutex);
            changed.wait_for(lock, stop, options.sampleInterval, [] { return false; });
        }
        for (const auto& session : living()) {
            if (stop.stop_requested())
                break;
            look(session);
        }
        if (!stop.stop_requested())
            room.makeRoomForOthers();
        std::erase_if(endings, [](const auto& each) {
            return each.second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        });
        store(stop.stop_requested());
        if (stop.stop_requested())
            return;
    }
}

} // namespace sg::sessions
