#include "core/base/log.h"
#include "core/base/thread_pool.h"
#include "core/sessions/manager/backend_choice.h"
#include "core/sessions/manager/remembered_backend.h"
#include "core/sessions/manager/session_manager_impl.h"
#include "core/sessions/session_sharing.h"

#include <tuple>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kEndingThreads = 8;
constexpr std::chrono::seconds kProbeCounts{ 60 };

// The settings that cannot be changed in a running sandbox.
auto fixedOf(const SessionSpec& s)
{
    return std::tie(s.backend, s.connection, s.mode, s.datasetFolder, s.image, s.limits.tmpfsBytes,
                    s.limits.openFiles, s.preload, s.requirements, s.modules, s.egress, s.egressTrusts,
                    s.secretHeaders, s.secrets, s.part);
}
auto changeableOf(const SessionSpec& s)
{
    return std::tie(s.limits.memoryBytes, s.limits.pids, s.limits.cpus);
}

SessionManager::Backends remembered(SessionManager::Backends backends)
{
    for (auto& [name, backend] : backends)
        backend = rememberProbe(std::move(backend), kProbeCounts);
    return backends;
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

} // namespace

bool operator==(const SessionSpec& a, const SessionSpec& b)
{
    return fixedOf(a) == fixedOf(b) && changeableOf(a) == changeableOf(b) && a.lifetime == b.lifetime
        && a.keep == b.keep;
}

SessionManager::Impl::Impl(Backends theBackends, artifacts::ArtifactStore& artifacts, const Clock& theClock,
                           Random& random, SessionManagerOptions theOptions)
    : backends(remembered(std::move(theBackends)))
    , clock(theClock)
    , options(std::move(theOptions))
    , records(openRecords(options.records))
    , room(options.budget,
           { pool, [this] { return living(); }, options.isInRun,
             [this](const SessionInfo& waiting, const std::string& why) {
                 events.publish({ SessionEvent::Kind::Waiting, waiting, {}, why });
             } })
    , pool([this](const SessionSpec& spec, bool isResting) {
        auto place = room.placeNow(ThreadId("started ahead"), spec.limits.memoryBytes);
        if (!place)
            return Result<WarmPool::Ready>(std::move(place.error()));
        auto ready = maker.makeReady(spec, isResting, room.closing());
        if (ready)
            ready->place = std::move(*place);
        return ready;
    })
    , maker({ backends, artifacts, clock, random, options, records.get(), pool,
              [this](SessionEvent::Kind kind, const SessionInfo& about, const std::string& text) {
                  record(kind, about, text);
                  events.publish({ kind, about, {}, text });
              } })
{
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
    m_impl->room.close();
    m_impl->endings.clear(); // waits until each is recorded
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

// Changes the session where it differs only in what can be changed. A kept session stays kept.
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
SessionManager::Impl::start(const ThreadId& thread, const SessionSpec& spec, const SessionAsker& asker)
{
    SessionInfo waiting;
    waiting.thread = thread;
    waiting.part = spec.part;
    waiting.backend = spec.backend;
    waiting.state = SessionState::Kind::Waiting;
    waiting.limits = spec.limits;
    auto place = room.placeFor(waiting, asker);
    if (!place)
        return std::move(place.error()).during("start a session for thread " + thread.value);
    auto made = maker.make(thread, spec, { asker.stop, asker.say });
    if (made)
        (*made)->hold(std::move(*place), [this](const SessionInfo& again, const SessionAsker& who) {
            return room.placeFor(again, who);
        });
    return made;
}

Result<std::shared_ptr<Session>> SessionManager::acquire(const ThreadId& thread, const SessionSpec& spec,
                                                         std::stop_token stop, const Say& say, For whom)
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
    const SessionAsker asker{ whom == For::Run, std::move(stop), say, whom == For::Nobody };
    if (old && !old->hasEnded() && m_impl->suits(*old, spec)) {
        const auto hasWoken = old->wake(asker);
        if (hasWoken && *hasWoken)
            m_impl->recordStart(*old);
        if (hasWoken)
            return std::shared_ptr<Session>(std::move(old));
        if (!old->hasEnded()) // else another program has taken it: go on as where there was none
            return Error(hasWoken.error()).during("start a session for thread " + thread.value);
    }
    if (old)
        old->end();
    auto made = m_impl->start(thread, spec, asker);
    if (!made)
        return made.error();
    {
        const std::lock_guard lock(m_impl->mutex);
        slot->session = *made;
    }
    m_impl->recordStart(**made);
    m_impl->record(SessionEvent::Kind::Started, (*made)->info(), {});
    m_impl->events.publish({ .kind = SessionEvent::Kind::Started, .info = (*made)->info() });
    return std::shared_ptr<Session>(std::move(*made));
}

Result<void> SessionManager::prepare(const SessionSpec& spec, std::stop_token stop, const Say& say)
{
    return m_impl->maker.prepare(spec, { std::move(stop), say });
}

std::shared_ptr<Session> SessionManager::find(const ThreadId& thread, const SessionPart& part) const
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
        if (session->spec().part.isOf(run))
            session->end("its run is over");
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
