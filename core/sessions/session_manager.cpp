#include "core/sessions/session_manager.h"

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/thread_pool.h"
#include "core/sessions/backend_choice.h"
#include "core/sessions/sandbox_session.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kIdLetters = 8;
constexpr std::size_t kEndingThreads = 8;

std::string base32(std::uint64_t bits)
{
    static constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
    std::string text;
    for (std::size_t i = 0; i < kIdLetters; ++i, bits >>= 5U)
        text += kAlphabet[bits & 31U];
    return text;
}

// What outlives its sandbox is found again by its thread; nothing that a session could have written is asked.
SessionId lastingId(const std::string& project, const ThreadId& thread)
{
    const std::string hash = sha256Hex(project + '\n' + thread.value);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 12; ++i)
        bits = bits << 4U | static_cast<std::uint64_t>(std::string_view("0123456789abcdef").find(hash[i]));
    return SessionId("s-" + base32(bits));
}

Result<void> checkSpec(const SessionSpec& spec)
{
    if (spec.storage != "TMPFS" && spec.storage != "BIND")
        return Error{ Errc::InvalidArgument,
                      "session storage \"" + spec.storage + "\" is not known; there are TMPFS and BIND" };
    if (spec.datasets != "NONE" && spec.datasets != "LOCAL_RO")
        return Error{ Errc::Unsupported,
                      "dataset access \"" + spec.datasets
                          + "\" is not available; there are NONE and LOCAL_RO" };
    std::error_code error;
    if (spec.datasets == "LOCAL_RO" && !std::filesystem::is_directory(spec.datasetFolder, error))
        return Error{ Errc::NotFound,
                      "dataset access LOCAL_RO needs a folder, but there is none at \""
                          + spec.datasetFolder.string() + "\"; create it or choose NONE" };
    return {};
}

auto limitsOf(const sandbox::Limits& l)
{
    return std::make_tuple(l.memoryBytes, l.tmpfsBytes, l.pids, l.cpus, l.openFiles);
}

} // namespace

bool operator==(const SessionSpec& a, const SessionSpec& b)
{
    return a.backend == b.backend && a.storage == b.storage && a.datasets == b.datasets
        && a.datasetFolder == b.datasetFolder && a.image == b.image
        && limitsOf(a.limits) == limitsOf(b.limits) && a.keep == b.keep;
}

struct SessionManager::Impl {
    struct Slot {
        std::mutex starting; // one start at a time for a thread
        std::shared_ptr<SandboxSession> session; // guarded by Impl::mutex; replaced only with `starting` held
    };

    Impl(Backends theBackends, artifacts::ArtifactStore& theArtifacts, const Clock& theClock,
         Random& theRandom, SessionManagerOptions theOptions)
        : backends(std::move(theBackends))
        , artifacts(theArtifacts)
        , clock(theClock)
        , random(theRandom)
        , options(std::move(theOptions))
    {
    }

    Result<std::shared_ptr<SandboxSession>> make(const ThreadId& thread, const SessionSpec& spec);
    Result<std::shared_ptr<SandboxSession>> makeOn(const std::string& name, sandbox::SandboxBackend& backend,
                                                   const sandbox::BackendInfo& info, const ThreadId& thread,
                                                   const SessionSpec& spec);
    sandbox::SandboxSpec sandboxSpec(const SessionId& id, const SessionSpec& spec) const;
    std::optional<sandbox::FoundSandbox> findKept(sandbox::SandboxBackend& backend,
                                                  const SessionId& id) const;
    std::vector<std::shared_ptr<SandboxSession>> living();
    void watch(const std::stop_token& stop);

    Backends backends;
    artifacts::ArtifactStore& artifacts;
    const Clock& clock;
    Random& random;
    const SessionManagerOptions options;
    Publisher<SessionEvent> events;

    std::mutex mutex;
    std::condition_variable_any changed;
    std::map<ThreadId, std::shared_ptr<Slot>> slots; // guarded by mutex
    std::jthread watcher; // last: ends before what it looks at
};

sandbox::SandboxSpec SessionManager::Impl::sandboxSpec(const SessionId& id, const SessionSpec& spec) const
{
    sandbox::SandboxSpec result;
    result.session = id;
    result.project = options.project;
    result.image = spec.image;
    result.python = options.python;
    result.runnerFolder = options.runnerFolder;
    if (spec.storage == "BIND")
        result.sessionFolder = options.sessionsFolder / id.value;
    if (spec.datasets == "LOCAL_RO")
        result.mounts.push_back({ spec.datasetFolder, "/data", true });
    result.limits = spec.limits;
    result.keep = spec.keep;
    return result;
}

std::optional<sandbox::FoundSandbox> SessionManager::Impl::findKept(sandbox::SandboxBackend& backend,
                                                                    const SessionId& id) const
{
    const auto found = backend.find();
    if (!found)
        return std::nullopt;
    for (const sandbox::FoundSandbox& one : *found)
        if (one.kept && one.project == options.project && one.session == id)
            return one;
    return std::nullopt;
}

Result<std::shared_ptr<SandboxSession>> SessionManager::Impl::makeOn(const std::string& name,
                                                                     sandbox::SandboxBackend& backend,
                                                                     const sandbox::BackendInfo& info,
                                                                     const ThreadId& thread,
                                                                     const SessionSpec& spec)
{
    const SessionId lasting = lastingId(options.project, thread);
    // What an earlier process left for this thread is taken up whether this one is to keep it or not: its
    // names are there, and nothing else would end it.
    const auto kept = findKept(backend, lasting);
    const bool isLasting = spec.storage == "BIND" || spec.keep || kept;
    SessionParts parts;
    parts.id = isLasting ? lasting : SessionId("s-" + base32(random.next()));
    parts.thread = thread;
    parts.spec = spec;
    parts.spec.keep = spec.keep || kept;
    parts.sandboxSpec = sandboxSpec(parts.id, parts.spec);
    parts.sandboxSpec.thread = thread;
    parts.backendName = name;
    parts.backendInfo = info;
    parts.backend = &backend;
    parts.artifacts = &artifacts;
    parts.clock = &clock;
    parts.answerTool = options.answerTool;
    parts.snapshots = options.snapshots;
    parts.snapshotStored = options.snapshotStored;
    std::optional<SessionFolder> folder;
    if (spec.storage == "BIND") {
        auto opened = SessionFolder::open(parts.sandboxSpec.sessionFolder);
        if (!opened)
            return opened.error();
        folder = std::move(*opened);
    }
    auto session = std::make_shared<SandboxSession>(
        std::move(parts), std::move(folder),
        [this](SessionEvent::Kind kind, const SessionInfo& about, const std::string& text) {
            events.publish({ kind, about, {}, text });
        });
    if (kept) {
        if (auto attached = session->attach(*kept))
            return session;
        // It does not answer any more; a new one takes its place.
        if (auto removed = backend.remove(*kept); !removed)
            return removed.error();
    }
    if (auto started = session->start(); !started)
        return started.error();
    return session;
}

Result<std::shared_ptr<SandboxSession>> SessionManager::Impl::make(const ThreadId& thread,
                                                                   const SessionSpec& spec)
{
    if (auto checked = checkSpec(spec); !checked)
        return checked.error();
    std::shared_ptr<SandboxSession> session;
    auto tried = tryBackends(spec.backend, backends,
                             [&](const std::string& name, sandbox::SandboxBackend& backend,
                                 const sandbox::BackendInfo& info) -> Result<void> {
                                 auto made = makeOn(name, backend, info, thread, spec);
                                 if (!made)
                                     return made.error();
                                 session = std::move(*made);
                                 return {};
                             });
    if (!tried)
        return std::move(tried.error()).during("start a session for thread " + thread.value);
    return session;
}

std::vector<std::shared_ptr<SandboxSession>> SessionManager::Impl::living()
{
    std::vector<std::shared_ptr<SandboxSession>> sessions;
    const std::lock_guard lock(mutex);
    for (const auto& [thread, slot] : slots)
        if (slot->session && !slot->session->hasEnded())
            sessions.push_back(slot->session);
    return sessions;
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
                return;
            session->tick();
            if (auto sample = session->sample())
                events.publish({ SessionEvent::Kind::Sample, session->info(), *sample, {} });
        }
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
    ThreadPool pool(kEndingThreads); // an engine may take a while for each
    for (auto& session : m_impl->living())
        pool.submit([session] {
            if (session->spec().keep)
                session->leave();
            else
                session->end();
        });
}

Result<std::shared_ptr<Session>> SessionManager::acquire(const ThreadId& thread, const SessionSpec& spec)
{
    std::shared_ptr<Impl::Slot> slot;
    {
        const std::lock_guard lock(m_impl->mutex);
        auto& entry = m_impl->slots[thread];
        if (!entry)
            entry = std::make_shared<Impl::Slot>();
        slot = entry;
    }
    const std::lock_guard starting(slot->starting);
    std::shared_ptr<SandboxSession> old;
    {
        const std::lock_guard lock(m_impl->mutex);
        if (slot->session && !slot->session->hasEnded() && slot->session->spec() == spec)
            return std::shared_ptr<Session>(slot->session);
        old = std::exchange(slot->session, nullptr);
    }
    if (old)
        old->end();
    auto made = m_impl->make(thread, spec);
    if (!made)
        return made.error();
    {
        const std::lock_guard lock(m_impl->mutex);
        slot->session = *made;
    }
    m_impl->events.publish({ SessionEvent::Kind::Started, (*made)->info(), {}, {} });
    return std::shared_ptr<Session>(std::move(*made));
}

std::vector<SessionInfo> SessionManager::list()
{
    std::vector<SessionInfo> infos;
    for (const auto& session : m_impl->living())
        infos.push_back(session->info());
    for (const auto& [name, backend] : m_impl->backends) {
        const auto found = backend->find();
        if (!found)
            continue;
        for (const sandbox::FoundSandbox& one : *found) {
            const bool isListed = std::any_of(
                infos.begin(), infos.end(), [&](const SessionInfo& info) { return info.id == one.session; });
            if (!one.kept || one.project != m_impl->options.project || isListed)
                continue;
            SessionInfo info;
            info.id = one.session;
            info.thread = one.thread;
            info.backend = name;
            info.sandboxName = one.name;
            info.state = "kept";
            info.createdAt = one.createdAt;
            infos.push_back(std::move(info));
        }
    }
    return infos;
}

std::shared_ptr<Session> SessionManager::find(const ThreadId& thread) const
{
    const std::lock_guard lock(m_impl->mutex);
    const auto slot = m_impl->slots.find(thread);
    if (slot == m_impl->slots.end() || !slot->second->session || slot->second->session->hasEnded())
        return nullptr;
    return slot->second->session;
}

Result<void> SessionManager::stop(const SessionId& id)
{
    for (const auto& session : m_impl->living())
        if (session->info().id == id) {
            session->end();
            return {};
        }
    for (const auto& [name, backend] : m_impl->backends) {
        const auto found = backend->find();
        if (!found)
            continue;
        for (const sandbox::FoundSandbox& one : *found)
            if (one.session == id && one.project == m_impl->options.project)
                return backend->remove(one);
    }
    return Error{ Errc::NotFound,
                  "there is no session " + id.value + "; \"sandglass session list\" shows those there are" };
}

Result<int> SessionManager::sweepOrphans()
{
    int removed = 0;
    for (const auto& [name, backend] : m_impl->backends) {
        const auto found = backend->find();
        if (!found)
            continue; // an engine that does not answer has nothing that could be swept now
        for (const sandbox::FoundSandbox& one : *found) {
            if (one.kept || one.ownerAlive || one.project != m_impl->options.project)
                continue;
            if (auto gone = backend->remove(one); !gone)
                return std::move(gone.error()).during("remove the orphaned sandbox " + one.name);
            ++removed;
        }
    }
    return removed;
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
