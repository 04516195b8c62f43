#include "core/sessions/sandbox_session.h"

#include "core/base/msgpack.h"
#include "core/sessions/cell_frames.h"
#include "core/sessions/live_sandbox.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kWriteTime{ 60'000 };
constexpr const char* kDatasets = "datasets";
constexpr Millis kStoreTime{ 10'000 }; // for all snapshots of a session that ends
constexpr Millis kLookTime{ 300 };
constexpr Millis kVariablesTime{ 2000 };
constexpr std::size_t kMostIdleOutput = 256U << 10;
constexpr std::size_t kMostJournalOutput = 64U << 10;

CellResult failed(CellStatus status, CellError error)
{
    CellResult result;
    result.status = status;
    result.error = std::move(error);
    return result;
}

void addTool(ValueMap& request)
{
    const Value* const before = request.find(std::string_view("asks"));
    ValueList asks = before != nullptr && before->isList() ? before->asList() : ValueList();
    asks.emplace_back(kDatasets);
    request.set("asks", std::move(asks));
}

std::string codeText(const ValueMap& request)
{
    const auto text = [&](const char* key) { return request.find(std::string_view(key))->asString(); };
    return text("op") == "cell" ? text("code") : "# " + text("function") + "() of " + text("file");
}

CellResult stoppedInLine()
{
    return failed(CellStatus::Stopped, { "Stopped", "the code was stopped before it began", {}, {} });
}

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
    // A BIND session's data lies in its own folder; nothing of this machine is mounted a second time.
    if (spec.mode.storage == SessionStorage::Bind && stagesData(spec.mode.datasets))
        options.set("roots",
                    Value::map({ { "session", "/session" },
                                 { "artifacts", "/session/artifacts" },
                                 { "data", "/session/data" } }));
    return options;
}

SandboxSession::SandboxSession(SessionParts parts, std::optional<SessionFolder> folder, Listener listener)
    : m_parts(std::move(parts))
    , m_listener(std::move(listener))
    , m_startedAt(m_parts.startedAt == WallTime() ? m_parts.clock->now() : m_parts.startedAt)
    , m_journal(std::move(folder), *m_parts.clock)
    , m_limits(m_parts.limitsNow.value_or(m_parts.spec.limits))
    , m_askedLimits(m_parts.spec.limits)
    , m_lifetime(m_parts.spec.lifetime)
    , m_lastUsed(m_parts.clock->now())
    , m_intake(*m_parts.artifacts)
    , m_rewind(m_parts.snapshots, *m_parts.clock, {}, m_parts.snapshotStored)
{
}

SandboxSession::~SandboxSession()
{
    if (m_parts.spec.keep)
        leave();
    else
        end();
}

Result<void> SandboxSession::start()
{
    sandbox::SandboxSpec spec = m_parts.sandboxSpec;
    spec.limits = limits();
    auto sandbox = m_parts.backend->start(spec);
    if (!sandbox)
        return sandbox.error();
    return adopt(std::move(*sandbox));
}

Result<void> SandboxSession::attach(const sandbox::FoundSandbox& found)
{
    auto sandbox = m_parts.backend->attach(found);
    if (!sandbox)
        return sandbox.error();
    if (found.paused)
        if (auto woken = (*sandbox)->unpause(); !woken)
            return woken;
    return adopt(std::move(*sandbox));
}

Result<void> SandboxSession::adopt(std::unique_ptr<sandbox::Sandbox> sandbox, bool wasStartedAhead)
{
    const auto live = std::make_shared<LiveSandbox>(std::move(sandbox), limits(), helloOptions(m_parts.spec),
                                                    [this](const Frame& frame) { takeIdleFrame(frame); });
    if (auto greeted = live->greet(CellLimits().outputBytes); !greeted) {
        const CellError cause = live->causeOfDeath();
        live->sandbox().end();
        return Error{ Errc::Unavailable,
                      "start session " + m_parts.id.value + " on " + m_parts.backendName + ": "
                          + greeted.error().message + " (" + cause.message + ")" };
    }
    if (wasStartedAhead)
        live->wasStartedAhead();
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
    info.limitsEnforced = m_parts.backendInfo.limitsEnforced;
    info.limits = m_limits;
    info.storage = std::string(nameOf(m_parts.spec.mode.storage));
    info.datasets = std::string(nameOf(m_parts.spec.mode.datasets));
    return info;
}

void SandboxSession::setState(const std::string& state)
{
    const std::lock_guard lock(m_mutex);
    m_state = state;
}

CellResult SandboxSession::runCell(const std::string& code, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                   std::stop_token stop)
{
    return execute({ { { "op", "cell" }, { "code", code } } }, limits, origin, handlers, std::move(stop));
}

CellResult SandboxSession::call(const FunctionCall& call, const CellLimits& limits,
                                const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                std::stop_token stop)
{
    ValueMap request{ { "op", "call" },
                      { "source", call.source },
                      { "file", call.file },
                      { "function", call.function },
                      { "state", Bytes{ encodeMsgpackOfRun(call.state) } },
                      { "config", Bytes{ encodeMsgpack(call.config) } } };
    if (!call.asks.empty()) {
        ValueList asks;
        for (const std::string& kind : call.asks)
            asks.emplace_back(kind);
        request.set("asks", std::move(asks));
    }
    if (!call.answers.empty())
        request.set("resume", Bytes{ encodeMsgpack(Value(call.answers)) });
    return execute({ std::move(request), call.world, call.caller, call.keepsFailed }, limits, origin,
                   handlers, std::move(stop));
}

CellResult SandboxSession::execute(Work work, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& given,
                                   std::stop_token stop)
{
    const CellLine::Turn turn(m_line, stop);
    if (!turn)
        return stoppedInLine();
    const CellHandlers handlers = withTools(given, limits, stop);
    if (m_parts.answerTool && m_parts.spec.mode.datasets != DatasetAccess::None)
        addTool(work.request);
    if (!m_journal.isKept())
        return executeNow(std::move(work), limits, origin, handlers, stop);
    std::string printed;
    const CellHandlers watched{ [&](const CellOutput& output) {
                                   if (output.stream != CellOutput::Stream::Event
                                       && printed.size() < kMostJournalOutput)
                                       printed += output.bytes;
                                   if (handlers.output)
                                       handlers.output(output);
                               },
                                handlers.custom, handlers.ask, handlers.display };
    const std::string code = codeText(work.request);
    CellResult result = executeNow(std::move(work), limits, origin, watched, stop);
    m_journal.executed(code, printed, result);
    return result;
}

// The session's own tools are answered here, all else by whoever runs the cell.
CellHandlers SandboxSession::withTools(const CellHandlers& handlers, const CellLimits& limits,
                                       const std::stop_token& stop)
{
    CellHandlers with = handlers;
    if (!m_parts.answerTool)
        return with;
    const SteadyTime end =
        limits.deadline.count() > 0 ? steady_clock::now() + limits.deadline : SteadyTime::max();
    with.ask = [this, &handlers, end, stop](const std::string& kind, const Value& request) -> Result<Value> {
        if (kind != kDatasets) {
            if (handlers.ask)
                return handlers.ask(kind, request);
            return Error{ Errc::Unsupported, "nothing here answers requests of kind '" + kind + "'" };
        }
        const auto say = [&](const std::string& text) {
            if (handlers.output)
                handlers.output({ CellOutput::Stream::Event, text });
        };
        return m_parts.answerTool(
            *this,
            { kind, request, [&] { return !stop.stop_requested() && steady_clock::now() < end; }, say });
    };
    return with;
}

// With the line.
CellResult SandboxSession::executeNow(Work work, const CellLimits& limits,
                                      const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                      const std::stop_token& stop)
{
    const SteadyTime begin = steady_clock::now();
    const auto live = ensureLive(limits, handlers);
    if (!live)
        return failed(CellStatus::Died, { "SessionEnded", live.error().message, {}, {} });
    if (limits.deadline.count() > 0)
        work.request.set("deadline_ms", static_cast<std::int64_t>(limits.deadline.count()));
    setState("busy");
    CellResult before;
    if (auto cannot = enterWorld(**live, work, before)) {
        setState("idle");
        return failed(CellStatus::Error, std::move(*cannot));
    }
    const sandbox::Limits sandboxLimits = this->limits();
    (*live)->setLimits(sandboxLimits);
    CellFrames frames(work.request.at("op").asString() == "call", limits, sandboxLimits, handlers);
    auto executed = (*live)->run(std::move(work.request), limits, frames, stop);
    CellResult result = executed ? std::move(*executed) : lost(*live, std::move(frames.result()));
    result.restored = std::move(before.restored);
    RunnerLink& link = (*live)->link();
    if (frames.mayHaveArtifacts() && !link.failure()) {
        artifacts::ArtifactOrigin from = origin;
        from.session = m_parts.id;
        if (const auto collected = m_intake.collect(link, from, stop, result); !collected) {
            link.close(collected.error());
            result.warnings.push_back("the session's artifacts could not be fetched: "
                                      + collected.error().message);
        }
    }
    leaveWorld(**live, work, result);
    if (link.failure())
        bury(*live);
    else
        setState("idle");
    {
        const std::lock_guard lock(m_mutex);
        m_lastUsed = m_parts.clock->now();
        ++m_cells;
        ++m_newCells;
        result.restarted = std::exchange(m_namesLost, false) || result.restarted;
    }
    result.seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
    return result;
}

std::optional<CellError> SandboxSession::enterWorld(LiveSandbox& live, const Work& work, CellResult& result)
{
    if (!m_rewind.isOn())
        return std::nullopt;
    m_rewind.use(live);
    if (work.world == nullptr) {
        m_rewind.changes(true);
        return std::nullopt;
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_namesLost) // between calls
            m_rewind.changes(false);
    }
    auto brought = m_rewind.bring(work.world->stand(work.caller));
    if (!brought && !live.link().failure())
        return CellError{ "SandboxError", brought.error().message, {}, {} };
    if (brought && brought->kind != Restored::Kind::AsItWas) {
        const std::lock_guard lock(m_mutex);
        m_namesLost = false; // they are what the result says
        result.restored = std::move(*brought);
    }
    if (brought && m_rewind.standsNowhere())
        work.world->began(m_rewind.take());
    m_rewind.changes(false);
    return std::nullopt;
}

void SandboxSession::leaveWorld(LiveSandbox& live, const Work& work, const CellResult& result)
{
    if (!m_rewind.isOn() || work.world == nullptr || live.link().failure())
        return;
    const bool isGood = result.status == CellStatus::Ok && !result.storeFailure;
    if (isGood || work.keepsFailed)
        work.world->moved(work.caller, m_rewind.take(), work.keepsFailed);
}

Result<SandboxSession::Live> SandboxSession::ensureLive(const CellLimits& limits,
                                                        const CellHandlers& handlers)
{
    if (m_ended)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " was ended" };
    Live live = current();
    if (live && live->link().failure()) {
        bury(live);
        live = nullptr;
    }
    if (!live) {
        if (auto started = start(); !started)
            return started.error();
        live = current();
        if (!live)
            return Error{ Errc::Unavailable, "session " + m_parts.id.value + " was ended" };
        const std::string text = "the session was started anew: its names and files in memory are gone";
        {
            const std::lock_guard lock(m_mutex);
            m_namesLost = true;
        }
        if (handlers.output)
            handlers.output({ CellOutput::Stream::Event, text });
        m_listener(SessionEvent::Kind::Restarted, info(), text);
    }
    if (live->sandbox().isPaused())
        if (auto woken = live->sandbox().unpause(); !woken)
            return std::move(woken.error()).during("wake session " + m_parts.id.value);
    if (auto greeted = live->greet(limits.outputBytes); !greeted) {
        bury(live);
        return std::move(greeted.error()).during("session " + m_parts.id.value);
    }
    std::string idleOutput;
    {
        const std::lock_guard lock(m_mutex);
        idleOutput = std::exchange(m_idleOutput, {});
    }
    if (!idleOutput.empty() && handlers.output)
        handlers.output({ CellOutput::Stream::Stdout, std::move(idleOutput) });
    return live;
}

CellResult SandboxSession::lost(const Live& live, CellResult soFar)
{
    const auto failure = live->link().failure();
    soFar.status = CellStatus::Died;
    auto cause = bury(live);
    soFar.error = cause
        ? std::move(*cause)
        : CellError{ "SessionEnded", failure ? failure->message : "the session was ended", {}, {} };
    return soFar;
}

std::optional<CellError> SandboxSession::bury(const Live& live)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_live != live)
            return std::nullopt;
        m_live = nullptr;
    }
    CellError cause = live->causeOfDeath();
    live->sandbox().end();
    {
        const std::lock_guard lock(m_mutex);
        m_state = "ended: " + cause.message;
    }
    m_listener(SessionEvent::Kind::Ended, info(), cause.message);
    return cause;
}

void SandboxSession::takeIdleFrame(const Frame& frame)
{
    const std::lock_guard lock(m_mutex);
    const Value& data = frame.body["data"];
    if (frame.event == "out" && data.isBytes())
        m_idleOutput +=
            data.asBytes().substr(0, kMostIdleOutput - std::min(kMostIdleOutput, m_idleOutput.size()));
    else if (frame.event == "restarted")
        m_namesLost = true;
}

Result<sandbox::ResourceSample> SandboxSession::sample()
{
    const Live live = current();
    if (!live)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has no sandbox now" };
    auto sample = live->sandbox().sample();
    if (!sample)
        return sample;
    const std::lock_guard lock(m_mutex);
    sample->diskBytes = m_diskBytes;
    sample->diskLimit = m_diskLimit;
    return sample;
}

SessionSpec SandboxSession::spec() const
{
    SessionSpec spec = m_parts.spec;
    const std::lock_guard lock(m_mutex);
    spec.limits = m_askedLimits;
    spec.lifetime = m_lifetime;
    return spec;
}

Result<void> SandboxSession::askLimits(const sandbox::Limits& limits)
{
    if (auto set = setLimits(limits); !set)
        return set;
    const std::lock_guard lock(m_mutex);
    m_askedLimits = limits;
    return {};
}

void SandboxSession::setLifetime(const Lifetime& lifetime)
{
    const std::lock_guard lock(m_mutex);
    m_lifetime = lifetime;
}

sandbox::Limits SandboxSession::limits() const
{
    const std::lock_guard lock(m_mutex);
    return m_limits;
}

void SandboxSession::hold(HostBudget::Place place)
{
    const std::lock_guard lock(m_mutex);
    m_place = std::move(place);
}

SandboxSession::Use SandboxSession::takeUse()
{
    const std::lock_guard lock(m_mutex);
    const bool isBusy = m_state == "busy";
    if (isBusy)
        m_lastUsed = m_parts.clock->now();
    return { m_lastUsed, std::exchange(m_newCells, 0), isBusy };
}

Result<void> SandboxSession::pause()
{
    const CellLine::Turn turn(m_line);
    if (!turn)
        return Error{ Errc::Conflict,
                      "session " + m_parts.id.value + " runs a cell; stop it, or wait until it is done" };
    const Live live = current();
    if (!live)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has no sandbox now" };
    if (auto paused = live->sandbox().pause(); !paused)
        return paused;
    setState("paused");
    m_journal.noted("session_paused");
    m_listener(SessionEvent::Kind::Paused, info(),
               "the session is paused: it keeps its memory and uses no CPU");
    return {};
}

Result<void> SandboxSession::unpause()
{
    const Live live = current();
    if (!live)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has no sandbox now" };
    if (auto woken = live->sandbox().unpause(); !woken)
        return woken;
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == "paused")
            m_state = "idle";
        m_lastUsed = m_parts.clock->now(); // or its idle time would be over at once
    }
    m_journal.noted("session_unpaused");
    m_listener(SessionEvent::Kind::Unpaused, info(), "the session goes on");
    return {};
}

Result<void> SandboxSession::setLimits(const sandbox::Limits& limits)
{
    if (const Live live = current())
        if (auto set = live->sandbox().setLimits(limits); !set)
            return set;
    {
        const std::lock_guard lock(m_mutex);
        m_limits.memoryBytes = limits.memoryBytes;
        m_limits.pids = limits.pids;
        m_limits.cpus = limits.cpus;
    }
    m_listener(SessionEvent::Kind::LimitsChanged, info(), "its limits are changed");
    return {};
}

std::shared_ptr<RunnerLink> SandboxSession::link()
{
    const Live live = current();
    return live ? std::shared_ptr<RunnerLink>(live, &live->link()) : nullptr;
}

void SandboxSession::tick()
{
    const Live live = current();
    if (!live)
        return;
    if (live->link().writeHangs(kWriteTime))
        live->link().close({ Errc::Timeout, "its runner does not read what it is sent" });
    live->link().pump();
    if (!live->sandbox().isPaused() && !live->link().failure()) {
        lookAtFiles(*live);
        noteVariables(*live);
    }
    m_journal.saveIfChanged();
    if (!live->link().failure())
        return;
    // Only between cells; whoever runs one sees it too, and must be able to say why.
    const CellLine::Turn turn(m_line);
    if (turn)
        bury(live);
}

// How full its folder is. The runner counts a tmpfs; a folder of this machine is walked, now and then.
void SandboxSession::lookAtFiles(LiveSandbox& live)
{
    constexpr int kEvery = 10;
    std::int64_t used = 0;
    std::int64_t limit = 0;
    if (m_journal.isKept()) {
        if (m_ticks++ % kEvery != 0)
            return;
        used = m_journal.folderBytes();
    } else {
        const auto stats = live.link().ask({ { "op", "stats" } }, "stats", kLookTime);
        if (!stats)
            return;
        used = stats->body["session"].intOr("used", 0);
        limit = stats->body["session"].intOr("total", 0);
    }
    const std::lock_guard lock(m_mutex);
    m_diskBytes = std::max<std::int64_t>(used, 0);
    m_diskLimit = std::max<std::int64_t>(limit, 0);
}

// python_state.json of a BIND session, after cells and between them.
void SandboxSession::noteVariables(LiveSandbox& live)
{
    if (!m_journal.wantsVariables())
        return;
    const CellLine::Turn turn(m_line);
    if (!turn)
        return;
    if (const auto answer = live.link().ask({ { "op", "variables" } }, "variables", kVariablesTime))
        m_journal.saveVariables(answer->body);
}

SandboxSession::Live SandboxSession::takeOut(const std::string& why)
{
    const HostBudget::Place place = [&] {
        const std::lock_guard lock(m_mutex);
        return m_ended ? HostBudget::Place() : std::move(m_place);
    }();
    const std::lock_guard lock(m_mutex);
    if (m_ended.exchange(true))
        return nullptr;
    m_state = "ended: " + why;
    return std::exchange(m_live, nullptr);
}

// What sleeps in the sandbox ends with it; not where a cell is under way that is to be stopped.
void SandboxSession::storeSnapshots()
{
    const Live live = current();
    const CellLine::Turn turn(m_line);
    if (turn && live && m_rewind.isOn() && !live->link().failure()) {
        if (live->sandbox().isPaused() && !live->sandbox().unpause())
            return;
        m_rewind.use(*live);
        m_rewind.storeAll(kStoreTime);
    }
}

void SandboxSession::end()
{
    end("the session was ended");
}

void SandboxSession::end(const std::string& why)
{
    storeSnapshots();
    const Live live = takeOut(why);
    if (!live)
        return;
    live->link().close({ Errc::Cancelled, why });
    live->sandbox().end();
    m_journal.stopped(info());
    m_listener(SessionEvent::Kind::Ended, info(), why);
}

void SandboxSession::leave()
{
    if (const Live live = takeOut("it lives on without this program"))
        live->link().close({ Errc::Cancelled, "the workbench let go of the session" });
    m_journal.saveIfChanged();
}

} // namespace sg::sessions
