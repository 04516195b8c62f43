#include "core/sessions/live/sandbox_session.h"

#include "core/base/msgpack.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr Millis kStoreAllTime{ 10'000 }; // for all snapshots of a session that ends
constexpr Millis kStoreNewestTime{ 3000 }; // of one that goes on elsewhere

} // namespace

ValueMap helloOptions(const SessionSpec& spec)
{
    ValueMap options;
    if (!spec.preload.empty()) {
        ValueList modules;
        for (const std::string& name : spec.preload)
            modules.emplace_back(name);
        options.set("preload", std::move(modules));
    }
    if (!spec.egress.empty()) {
        options.set("egress", std::string(sandbox::egress::kMountPoint) + '/' + sandbox::egress::kSocketName);
        ValueMap variables;
        const std::string proxy = "http://127.0.0.1:" + std::to_string(sandbox::egress::kProxyPort);
        for (const char* name :
             { "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy" })
            variables.set(name, proxy);
        options.set("env", std::move(variables));
    }
    if (!spec.requirements.empty())
        options.set("layers", Value::list({ kLayerMount }));
    ValueMap modules;
    for (const ModuleFolder& folder : spec.modules)
        modules.set(folder.name, folder.insidePath());
    if (!modules.empty())
        options.set("modules", std::move(modules));
    ValueMap roots;
    // A BIND session's data lies in its own folder; nothing of this machine is mounted a second time.
    if (spec.mode.storage == SessionStorage::Bind && stagesData(spec.mode.datasets))
        roots = { { "session", "/session" },
                  { "artifacts", "/session/artifacts" },
                  { "data", "/session/data" } };
    if (!spec.secrets.empty())
        roots.set("secrets", "/run/secrets");
    if (!roots.empty())
        options.set("roots", std::move(roots));
    return options;
}

SandboxSession::SandboxSession(SessionParts parts, std::optional<SessionFolder> folder, Listener listener)
    : m_parts(std::move(parts))
    , m_listener(std::move(listener))
    , m_startedAt(m_parts.startedAt == WallTime() ? m_parts.clock->now() : m_parts.startedAt)
    , m_journal(std::move(folder), *m_parts.clock, m_parts.cellsBefore)
    , m_limits(m_parts.limitsNow.value_or(m_parts.spec.limits))
    , m_askedLimits(m_parts.spec.limits)
    , m_lifetime(m_parts.spec.lifetime)
    , m_lastUsed(m_parts.clock->now())
    , m_loss(m_parts.comesAfterLoss ? Loss::EarlierSession : Loss::None)
    , m_isNew(m_parts.isNew)
    , m_intake(*m_parts.artifacts)
    , m_rewind(m_parts.snapshots, *m_parts.clock, m_parts.snapshotLimits, m_parts.snapshotRoom.get(),
               m_parts.snapshotStored, m_journal.isKept())
{
}

SandboxSession::~SandboxSession()
{
    if (m_parts.spec.keep)
        leave();
    else
        end();
}

Result<void> SandboxSession::start(const std::stop_token& stop)
{
    sandbox::SandboxSpec spec = m_parts.sandboxSpec;
    spec.limits = limits();
    const auto mount = openNetwork(false, stop);
    if (!mount)
        return mount.error();
    if (*mount)
        spec.mounts.push_back(**mount);
    auto sandbox = m_parts.backend->start(spec);
    if (!sandbox)
        return sandbox.error();
    return adopt(std::move(*sandbox), false, stop);
}

// It hands its socket to this process with the hello.
Result<void> SandboxSession::attach(const sandbox::FoundSandbox& found)
{
    if (const auto opened = openNetwork(true); !opened)
        return opened.error();
    auto sandbox = m_parts.backend->attach(found);
    if (!sandbox)
        return sandbox.error();
    if (found.paused)
        if (auto woken = (*sandbox)->unpause(); !woken)
            return woken;
    return adopt(std::move(*sandbox));
}

Result<void> SandboxSession::adoptAhead(std::unique_ptr<sandbox::Sandbox> sandbox, SessionEgress egress)
{
    takeNetwork(std::move(egress));
    return adopt(std::move(sandbox), true);
}

Result<void> SandboxSession::adopt(std::unique_ptr<sandbox::Sandbox> sandbox, bool wasStartedAhead,
                                   const std::stop_token& stop)
{
    const auto live = std::make_shared<LiveSandbox>(std::move(sandbox), limits(), helloOptions(m_parts.spec),
                                                    [this](const Frame& frame) { takeIdleFrame(frame); });
    if (auto greeted = live->greet(CellLimits()); !greeted) {
        const CellError cause = live->causeOfDeath();
        live->sandbox().end();
        return Error{ Errc::Unavailable,
                      "start session " + m_parts.id.value + " on " + m_parts.backendName + ": "
                          + greeted.error().message + " (" + cause.message + ")" };
    }
    if (wasStartedAhead)
        live->wasStartedAhead();
    if (auto brought = bringSecrets(*live, stop); !brought) {
        live->sandbox().end();
        return std::move(brought.error()).during("start session " + m_parts.id.value);
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_ended)
            return Error{ Errc::Cancelled, "session " + m_parts.id.value + " was ended while it started" };
        m_live = live;
        m_state = "idle";
        m_sandboxName = live->sandbox().name();
    }
    m_journal.started(info(), m_parts.spec.image);
    return {};
}

SandboxSession::Live SandboxSession::current() const
{
    const std::lock_guard lock(m_mutex);
    return m_live;
}

SessionInfo SandboxSession::info() const
{
    const std::lock_guard lock(m_mutex);
    SessionInfo info;
    info.id = m_parts.id;
    info.thread = m_parts.thread;
    info.part = m_parts.spec.part;
    info.backend = m_parts.backendName;
    info.isolation = m_parts.backendInfo.isolation;
    info.sandboxName = m_sandboxName;
    info.state = m_state;
    info.createdAt = isoTime(m_startedAt);
    info.lastUsedAt = isoTime(m_lastUsed);
    info.cells = m_cells;
    if (m_live)
        info.asleep = m_asleep;
    info.limitsEnforced = m_parts.backendInfo.limitsEnforced;
    info.limits = m_limits;
    info.storage = std::string(nameOf(m_parts.spec.mode.storage));
    info.datasets = std::string(nameOf(m_parts.spec.mode.datasets));
    info.egress = m_parts.spec.egress;
    if (m_parts.layer) {
        info.layer = m_parts.layer->id;
        info.packages = m_parts.layer->pins;
    }
    return info;
}

void SandboxSession::setState(const std::string& state)
{
    const std::lock_guard lock(m_mutex);
    m_state = state;
}

std::shared_ptr<RunnerLink> SandboxSession::link()
{
    const Live live = current();
    return live ? std::shared_ptr<RunnerLink>(live, &live->link()) : nullptr;
}

SandboxSession::Live SandboxSession::takeOut(const std::string& why, HostBudget::Place& place)
{
    Live live;
    {
        const std::lock_guard lock(m_mutex);
        if (m_ended.exchange(true))
            return nullptr;
        place = std::move(m_place);
        m_state = "ended: " + why;
        live = std::exchange(m_live, nullptr);
    }
    m_over.request_stop();
    return live;
}

// What sleeps in the sandbox ends with it; not where a cell is under way that is to be stopped.
void SandboxSession::storeSnapshots()
{
    const Live live = current();
    const CellLine::Turn turn(m_line);
    if (turn && live && m_rewind.isOn() && !live->link().failure()) {
        if (live->sandbox().isPaused() && !live->sandbox().unpause())
            return;
        m_rewind.use(live);
        m_rewind.storeAll(kStoreAllTime);
    }
}

void SandboxSession::end()
{
    end("the session was ended");
}

void SandboxSession::end(const std::string& why)
{
    if (const Live live = current(); live && m_parts.spec.keep) {
        live->link().pump();
        if (isTakenOver(*live)) {
            bury(live);
            return;
        }
    }
    storeSnapshots();
    noteLastVariables();
    HostBudget::Place place; // given back when the sandbox is gone
    const Live live = takeOut(why, place);
    if (!live)
        return;
    live->link().close({ Errc::Cancelled, why });
    live->sandbox().end();
    takeEgress().reset();
    m_journal.stopped(info());
    m_listener(SessionEvent::Kind::Ended, info(), why);
}

void SandboxSession::leave()
{
    if (const CellLine::Turn turn(m_line); turn && m_rewind.isOn())
        m_rewind.storeNewest(kStoreNewestTime);
    noteLastVariables();
    HostBudget::Place place;
    if (const Live live = takeOut("it lives on without this program", place)) {
        live->link().close({ Errc::Cancelled, "the workbench let go of the session" });
        if (const auto egress = takeEgress())
            egress->leave();
    }
    m_journal.saveIfChanged();
}

} // namespace sg::sessions
