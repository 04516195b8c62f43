#include "core/sessions/live/sandbox_session.h"

#include "core/base/msgpack.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr Millis kStoreAllTime{ 10'000 }; // for all snapshots of a session that ends
constexpr Millis kStoreNewestTime{ 3000 }; // for the newest one of a session that goes on elsewhere
constexpr Millis kSecretTime{ 10'000 };

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
    // A BIND session's data lies in its own folder, so no folder of this machine is mounted a second time.
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
    , m_audit(m_parts)
    , m_journal(std::move(folder), *m_parts.clock, m_parts.cellsBefore)
    , m_network(m_parts, m_audit)
    , m_limits(m_parts)
    , m_uses(Uses{ .last = m_parts.clock->now() })
    , m_intake(*m_parts.artifacts)
    , m_repair(m_parts, m_journal.isKept())
    , m_beside(m_repair)
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
    spec.limits = m_limits.now();
    const auto mount = m_network.open(false, stop);
    if (!mount)
        return mount.error();
    if (*mount)
        spec.mounts.push_back(**mount);
    auto sandbox = m_parts.backend->start(spec);
    if (!sandbox)
        return sandbox.error();
    return adopt(std::move(*sandbox), false, stop);
}

// The runner connects anew: the hello hands the sandbox's socket to this process.
Result<void> SandboxSession::attach(const sandbox::FoundSandbox& found)
{
    m_isTakenUp = true;
    if (const auto opened = m_network.open(true); !opened)
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
    m_network.take(std::move(egress));
    return adopt(std::move(sandbox), true);
}

Result<void> SandboxSession::adopt(std::unique_ptr<sandbox::Sandbox> sandbox, bool wasStartedAhead,
                                   const std::stop_token& stop)
{
    const auto live =
        std::make_shared<LiveSandbox>(std::move(sandbox), m_limits.now(), helloOptions(m_parts.spec),
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
        m_state = SessionState::Kind::Idle;
        m_sandboxName = live->sandbox().name();
    }
    m_journal.started(info(), m_parts.spec.image);
    return {};
}

// The runner writes secrets to a tmpfs of the sandbox, so that they are in no argument, environment variable,
// image or folder of this machine.
Result<void> SandboxSession::bringSecrets(LiveSandbox& live, const std::stop_token& stop) const
{
    for (const std::string& name : m_parts.spec.secrets) {
        auto secret = m_parts.findSecret
            ? m_parts.findSecret(name, stop)
            : Result<settings::Secret>(Error{ Errc::Unsupported, "secrets are not offered here" });
        if (!secret)
            return std::move(secret.error());
        const auto stored = live.link().ask({ { "op", "put_file" },
                                              { "root", "secrets" },
                                              { "path", name },
                                              { "offset", 0 },
                                              { "data", Bytes{ secret->reveal() } },
                                              { "last", true },
                                              { "mode", 0400 } },
                                            "stored", kSecretTime);
        m_audit.secret(name, stored ? audit::Outcome::Given : audit::Outcome::Failed,
                       Value::map({ { "as", "/run/secrets/" + name } }));
        if (!stored)
            return Error(stored.error()).during("bring the secret " + name);
    }
    return {};
}

// The caller holds the line.
Result<void> SandboxSession::startAgain(const SessionAsker& asker)
{
    if (auto placed = m_place.take(info(), asker); !placed)
        return placed;
    if (auto started =
            m_ended ? Result<void>(Error{ Errc::Cancelled, "it was ended meanwhile" }) : start(asker.stop);
        !started) {
        const HostBudget::Place unused = m_place.give();
        return started;
    }
    m_repair.startedAgain(m_place.setMadeRoom(false));
    return {};
}

std::optional<CellError> SandboxSession::bury(const Live& live)
{
    HostBudget::Place place; // released after the sandbox has ended
    {
        const std::lock_guard lock(m_mutex);
        if (m_live != live)
            return std::nullopt;
        m_live = nullptr;
        m_repair.forgetAsleep();
        place = m_place.give();
    }
    if (isTakenOver(*live)) {
        live->link().close({ Errc::Conflict, "another program has taken the session up" });
        return letGo();
    }
    CellError cause = live->causeOfDeath();
    live->sandbox().end();
    {
        const std::lock_guard lock(m_mutex);
        m_state = SessionState::ended(cause.message);
    }
    m_listener(SessionEvent::Kind::Ended, info(), cause.message);
    return cause;
}

// True where the sandbox goes on with another program.
bool SandboxSession::isTakenOver(LiveSandbox& live) const
{
    return m_parts.spec.keep && (live.link().wasSuperseded() || (m_parts.isAnothers && m_parts.isAnothers()));
}

CellError SandboxSession::letGo()
{
    const std::string why = "another program has taken it up";
    m_ended = true;
    m_place.end();
    setState(SessionState::ended(why));
    m_network.leave();
    m_listener(SessionEvent::Kind::TakenOver, info(), why);
    return { "SessionEnded",
             "the session is no longer this program's: " + why + ". Use it there, or another thread",
             {},
             {} };
}

SandboxSession::Live SandboxSession::current() const
{
    const std::lock_guard lock(m_mutex);
    return m_live;
}

SessionInfo SandboxSession::info() const
{
    SessionInfo info;
    info.id = m_parts.id;
    info.thread = m_parts.thread;
    info.part = m_parts.spec.part;
    info.backend = m_parts.backendName;
    info.isolation = m_parts.backendInfo.isolation;
    {
        const std::lock_guard lock(m_mutex);
        info.sandboxName = m_sandboxName;
        info.state = m_state;
        if (m_live)
            info.asleep = m_repair.asleep();
    }
    info.createdAt = isoTime(m_startedAt);
    {
        const auto uses = m_uses.lock();
        info.lastUsedAt = isoTime(uses->last);
        info.cells = uses->cells;
    }
    info.limitsEnforced = m_parts.backendInfo.limitsEnforced;
    info.isTakenUp = m_isTakenUp;
    info.limits = m_limits.now();
    info.storage = m_parts.spec.mode.storage;
    info.datasets = m_parts.spec.mode.datasets;
    info.egress = m_parts.spec.egress;
    if (m_parts.layer) {
        info.layer = m_parts.layer->id;
        info.packages = m_parts.layer->pins;
    }
    return info;
}

void SandboxSession::setState(const SessionState& state)
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
        place = m_place.give();
        m_state = SessionState::ended(why);
        live = std::exchange(m_live, nullptr);
    }
    m_place.end();
    return live;
}

// Copies that sleep in the sandbox end with it, so they are written out; not while a cell runs, which is to
// be stopped.
void SandboxSession::storeSnapshots()
{
    const Live live = current();
    const CellLine::Turn turn(m_line);
    if (turn && live && m_repair.rewind().isOn() && !live->link().failure()) {
        if (live->sandbox().isPaused() && !live->sandbox().unpause())
            return;
        m_repair.rewind().use(live);
        m_repair.rewind().storeAll(kStoreAllTime);
    }
}

void SandboxSession::end()
{
    end(std::string(SessionState::kWasAsked));
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
    HostBudget::Place place; // released after the sandbox has ended
    const Live live = takeOut(why, place);
    if (!live)
        return;
    live->link().close({ Errc::Cancelled, why });
    live->sandbox().end();
    m_network.end();
    m_journal.stopped(info());
    m_listener(SessionEvent::Kind::Ended, info(), why);
}

void SandboxSession::leave()
{
    if (const CellLine::Turn turn(m_line); turn && m_repair.rewind().isOn()) {
        m_repair.rewind().storeNewest(kStoreNewestTime);
        const Live live = current();
        if (live && !live->sandbox().isPaused() && !isTakenOver(*live))
            m_repair.keepMark(live);
    }
    noteLastVariables();
    HostBudget::Place place;
    if (const Live live = takeOut("it lives on without this program", place)) {
        live->link().close({ Errc::Cancelled, "the workbench let go of the session" });
        m_network.leave();
    }
    m_journal.saveIfChanged();
}

} // namespace sg::sessions
