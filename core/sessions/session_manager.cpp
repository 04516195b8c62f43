#include "core/sessions/session_manager.h"

#include "core/base/log.h"
#include "core/base/thread_pool.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/backend_choice.h"
#include "core/sessions/sandbox_session.h"
#include "core/sessions/session_care.h"
#include "core/sessions/session_maker.h"
#include "core/sessions/session_sharing.h"
#include "core/sessions/warm_pool.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kEndingThreads = 8;
constexpr std::size_t kMostSamples = 64; // in memory before they are stored
constexpr Millis kStoreEvery{ 5000 };

// What a running sandbox cannot change.
auto fixedOf(const SessionSpec& s)
{
    return std::tie(s.backend, s.mode, s.datasetFolder, s.image, s.limits.tmpfsBytes, s.limits.openFiles,
                    s.preload, s.part);
}
auto changeableOf(const SessionSpec& s)
{
    return std::tie(s.limits.memoryBytes, s.limits.pids, s.limits.cpus);
}

std::unique_ptr<SessionRecords> openRecords(const std::filesystem::path& file)
{
    if (file.empty())
        return nullptr;
    auto records = SessionRecords::open(file);
    if (!records) {
        logMessage(LogLevel::Warning, "sessions are not recorded: " + records.error().message);
        return nullptr;
    }
    if (auto closed = (*records)->closeAbandoned(); !closed)
        logMessage(LogLevel::Warning, closed.error().message);
    return std::move(*records);
}

const char* nameOf(SessionEvent::Kind kind)
{
    switch (kind) {
    case SessionEvent::Kind::Started: return "started";
    case SessionEvent::Kind::Ended: return "ended";
    case SessionEvent::Kind::Restarted: return "restarted";
    case SessionEvent::Kind::Sample: return "sample";
    case SessionEvent::Kind::Waiting: return "waiting";
    case SessionEvent::Kind::Paused: return "paused";
    case SessionEvent::Kind::Unpaused: return "unpaused";
    case SessionEvent::Kind::LimitsChanged: return "limits";
    }
    return "";
}

} // namespace

bool operator==(const SessionSpec& a, const SessionSpec& b)
{
    return fixedOf(a) == fixedOf(b) && changeableOf(a) == changeableOf(b) && a.lifetime == b.lifetime
        && a.keep == b.keep;
}

struct SessionManager::Impl {
    using Key = std::pair<ThreadId, std::string>; // thread and part
    struct Slot {
        CellLine starting; // one start at a time
        std::shared_ptr<SandboxSession> session; // guarded by Impl::mutex; replaced only with `starting` held
    };

    Impl(Backends theBackends, artifacts::ArtifactStore& artifacts, const Clock& theClock, Random& random,
         SessionManagerOptions theOptions)
        : backends(std::move(theBackends))
        , clock(theClock)
        , options(std::move(theOptions))
        , records(openRecords(options.records))
        , budget(options.budget)
        , pool([this](const SessionSpec& spec) { return maker.makeReady(spec); })
        , maker({ backends, artifacts, clock, random, options, records.get(), pool,
                  [this](SessionEvent::Kind kind, const SessionInfo& about, const std::string& text) {
                      record(kind, about, text);
                      events.publish({ kind, about, {}, text });
                  } })
    {
    }

    Result<std::shared_ptr<SandboxSession>> start(const ThreadId& thread, const SessionSpec& spec,
                                                  std::stop_token stop);
    bool suits(SandboxSession& session, const SessionSpec& spec) const;
    std::vector<std::shared_ptr<SandboxSession>> living();
    std::shared_ptr<SandboxSession> findLiving(const SessionId& id);
    void record(SessionEvent::Kind kind, const SessionInfo& about, const std::string& text);
    void countCells(const SessionId& id);
    void recordStart(const SandboxSession& session) const;
    void leave(SandboxSession& session);
    void watch(const std::stop_token& stop);
    void look(SandboxSession& session);
    void endIfOver(SandboxSession& session, const SandboxSession::Use& use);
    void store(bool all);

    Backends backends;
    const Clock& clock;
    const SessionManagerOptions options;
    const std::unique_ptr<SessionRecords> records; // null: none
    Publisher<SessionEvent> events;
    HostBudget budget;
    WarmPool pool;
    SessionMaker maker;

    // Of the watcher's thread:
    std::vector<StoredSample> samples;
    SteadyTime stored{};

    std::mutex mutex;
    std::condition_variable_any changed;
    std::map<Key, std::shared_ptr<Slot>> slots; // guarded by mutex
    std::jthread watcher; // last: ends before what it looks at
};

void SessionManager::Impl::record(SessionEvent::Kind kind, const SessionInfo& about, const std::string& text)
{
    if (!records || about.id.empty())
        return;
    const auto check = [](const Result<void>& done) {
        if (!done)
            logMessage(LogLevel::Warning, "a session's record: " + done.error().message);
    };
    check(records->note(about.id, { clock.now(), nameOf(kind), text }));
    if (kind == SessionEvent::Kind::Ended) {
        countCells(about.id);
        check(records->setState(about.id, "ended: " + text));
    }
    if (kind == SessionEvent::Kind::Paused || kind == SessionEvent::Kind::Unpaused)
        check(records->setState(about.id, kind == SessionEvent::Kind::Paused ? "paused" : "live"));
    if (kind == SessionEvent::Kind::LimitsChanged)
        check(records->setLimits(about.id, about.limits));
    if (kind == SessionEvent::Kind::Restarted)
        if (const auto session = findLiving(about.id))
            recordStart(*session);
}

// Those since the watcher looked last.
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
    session.leave();
    if (records)
        static_cast<void>(records->setState(id, "released"));
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

void SessionManager::Impl::endIfOver(SandboxSession& session, const SandboxSession::Use& use)
{
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
    // It may have been extended, here or by another program.
    if (records)
        if (const auto known = records->find(session.info().id); known && *known)
            record.extendedUntil = (*known)->extendedUntil;
    expiry = record.expiry();
    if (expiry->at <= clock.now())
        session.end(expiry->why);
}

void SessionManager::Impl::look(SandboxSession& session)
{
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
    endIfOver(session, use);
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
            look(*session);
        }
        store(stop.stop_requested());
        if (stop.stop_requested())
            return;
    }
}

SessionManager::SessionManager(Backends backends, artifacts::ArtifactStore& artifacts, const Clock& clock,
                               Random& random, SessionManagerOptions options)
    : m_impl(std::make_unique<Impl>(std::move(backends), artifacts, clock, random, std::move(options)))
{
    m_impl->watcher = std::jthread([impl = m_impl.get()](const std::stop_token& stop) { impl->watch(stop); });
}

SessionManager::~SessionManager()
{
    m_impl->watcher.request_stop();
    m_impl->watcher.join();
    m_impl->pool.stop();
    ThreadPool pool(kEndingThreads); // an engine may take a while for each
    for (auto& session : m_impl->living())
        pool.submit([session, impl = m_impl.get()] {
            const SandboxSession::Use use = session->takeUse();
            if (impl->records && use.cells > 0)
                static_cast<void>(impl->records->used(session->info().id, use.last, use.cells));
            if (session->spec().keep)
                impl->leave(*session);
            else
                session->end();
        });
}

// Where only what can be changed differs, it is changed. One that was kept stays so.
bool SessionManager::Impl::suits(SandboxSession& session, const SessionSpec& spec) const
{
    const SessionSpec has = session.spec();
    if (fixedOf(has) != fixedOf(spec) || (spec.keep && !has.keep))
        return false;
    if (changeableOf(has) != changeableOf(spec) && !session.askLimits(spec.limits))
        return false;
    if (!(has.lifetime == spec.lifetime)) {
        session.setLifetime(spec.lifetime);
        recordStart(session);
    }
    return true;
}

Result<std::shared_ptr<SandboxSession>>
SessionManager::Impl::start(const ThreadId& thread, const SessionSpec& spec, std::stop_token stop)
{
    auto place = budget.enter(thread, spec.limits.memoryBytes, std::move(stop), [&](const std::string& why) {
        SessionInfo waiting;
        waiting.thread = thread;
        waiting.part = spec.part;
        waiting.backend = spec.backend;
        waiting.state = "waiting";
        waiting.limits = spec.limits;
        events.publish({ SessionEvent::Kind::Waiting,
                         waiting,
                         {},
                         "the session of thread " + thread.value + " " + why });
    });
    if (!place)
        return std::move(place.error()).during("start a session for thread " + thread.value);
    auto made = maker.make(thread, spec);
    if (made)
        (*made)->hold(std::move(*place));
    return made;
}

Result<std::shared_ptr<Session>> SessionManager::acquire(const ThreadId& thread, const SessionSpec& spec,
                                                         std::stop_token stop)
{
    std::shared_ptr<Impl::Slot> slot;
    {
        const std::lock_guard lock(m_impl->mutex);
        auto& entry = m_impl->slots[{ thread, spec.part }];
        if (!entry)
            entry = std::make_shared<Impl::Slot>();
        slot = entry;
    }
    const CellLine::Turn starting(slot->starting, stop);
    if (!starting)
        return Error{ Errc::Cancelled, "stopped while another start of the same session was under way" };
    std::shared_ptr<SandboxSession> old;
    {
        const std::lock_guard lock(m_impl->mutex);
        old = slot->session;
    }
    if (old && !old->hasEnded() && m_impl->suits(*old, spec))
        return std::shared_ptr<Session>(std::move(old));
    if (old)
        old->end();
    auto made = m_impl->start(thread, spec, std::move(stop));
    if (!made)
        return made.error();
    {
        const std::lock_guard lock(m_impl->mutex);
        slot->session = *made;
    }
    m_impl->recordStart(**made);
    m_impl->record(SessionEvent::Kind::Started, (*made)->info(), {});
    m_impl->events.publish({ SessionEvent::Kind::Started, (*made)->info(), {}, {} });
    return std::shared_ptr<Session>(std::move(*made));
}

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

std::shared_ptr<Session> SessionManager::find(const ThreadId& thread, const std::string& part) const
{
    const std::lock_guard lock(m_impl->mutex);
    const auto slot = m_impl->slots.find({ thread, part });
    if (slot == m_impl->slots.end() || !slot->second->session || slot->second->session->hasEnded())
        return nullptr;
    return slot->second->session;
}

void SessionManager::endRun(const RunId& run)
{
    for (const auto& session : m_impl->living())
        if (SessionSharing::isOfRun(session->spec().part, run))
            session->end("its run is over");
}

Result<void> SessionManager::stop(const SessionId& id)
{
    if (const auto session = m_impl->findLiving(id)) {
        session->end();
        return {};
    }
    for (const FoundSession& found : findSessions(m_impl->backends, m_impl->options.project))
        if (found.sandbox.session == id) {
            auto removed = found.backend->remove(found.sandbox);
            SessionInfo info;
            info.id = id;
            if (removed)
                m_impl->record(SessionEvent::Kind::Ended, info, "the session was ended");
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
        static_cast<void>(m_impl->records->note(id, { m_impl->clock.now(), "paused", {} }));
    return done;
}

Result<void> SessionManager::unpause(const SessionId& id)
{
    if (const auto session = m_impl->findLiving(id))
        return session->unpause();
    auto done = withKept(m_impl->backends, m_impl->options.project, m_impl->records.get(), id,
                         [](sandbox::Sandbox& sandbox) { return sandbox.unpause(); });
    if (done && m_impl->records) {
        static_cast<void>(m_impl->records->note(id, { m_impl->clock.now(), "unpaused", {} }));
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
        static_cast<void>(
            m_impl->records->note(id, { m_impl->clock.now(), "limits", "its limits are changed" }));
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
        return *record ? Error{ Errc::NotFound, "session " + id.value + " " + (*record)->info.state }
                       : noSession(id);
    if (auto done = m_impl->records->extend(id, m_impl->clock.now() + fromNow); !done)
        return done;
    return m_impl->records->note(
        id, { m_impl->clock.now(), "extended", "by " + durationText(fromNow) + " from now" });
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
                            m_impl->clock.now(), dryRun, recordsFor);
}

void SessionManager::startAhead(const SessionSpec& spec, const PoolOptions& pool)
{
    m_impl->pool.fill(spec, pool);
}

int SessionManager::readyAhead() const
{
    return m_impl->pool.readyCount();
}

SessionRecords* SessionManager::records()
{
    return m_impl->records.get();
}

Result<sandbox::BackendInfo> SessionManager::backendInfo(const std::string& name)
{
    std::optional<sandbox::BackendInfo> chosen;
    auto tried = tryBackends(
        name, m_impl->backends,
        [&](const std::string&, sandbox::SandboxBackend&, const sandbox::BackendInfo& info) -> Result<void> {
            chosen = info;
            return {};
        });
    if (!tried)
        return tried.error();
    return *chosen;
}

Publisher<SessionEvent>& SessionManager::events()
{
    return m_impl->events;
}

} // namespace sg::sessions
