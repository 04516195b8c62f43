#include "core/sessions/sandbox_session.h"

#include "core/base/msgpack.h"
#include "core/sessions/cell_frames.h"
#include "core/sessions/runner_link.h"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

namespace sg::sessions {

// A running sandbox and the link to its runner. Shared so that a sample or a tick can end what it does with
// it.
struct LiveSandbox {
    LiveSandbox(std::unique_ptr<sandbox::Sandbox> started, RunnerLink::IdleListener idle)
        : sandbox(std::move(started))
        , link(sandbox->stream(), std::move(idle))
    {
    }
    const std::unique_ptr<sandbox::Sandbox> sandbox;
    RunnerLink link;
    // Belong to who holds the line:
    std::int64_t outputLimit = 0; // what the runner was told last
    std::int64_t oomKills = 0; // seen so far
};

namespace {

using std::chrono::steady_clock;

constexpr Millis kHelloTime{ 30'000 };
constexpr Millis kGrace{ 2000 };
constexpr Millis kBeyondGrace{ 4000 }; // for the runner to report what it did
constexpr Millis kLookAgain{ 250 };
constexpr Millis kWriteTime{ 60'000 };
constexpr Millis kDeathTime{ 1000 }; // for an engine to say why a sandbox ended
constexpr std::int64_t kMostOldId = 1LL << 40;
constexpr std::size_t kMostLastWords = 2000;
constexpr std::size_t kMostIdleOutput = 256U << 10;
constexpr std::size_t kMostJournalOutput = 64U << 10;

CellResult failed(CellStatus status, CellError error)
{
    CellResult result;
    result.status = status;
    result.error = std::move(error);
    return result;
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

// Why the sandbox of a link that ended is gone.
CellError causeOfDeath(LiveSandbox& live, const sandbox::Limits& limits)
{
    sandbox::SandboxEnd end = live.sandbox->state();
    for (const auto deadline = steady_clock::now() + kDeathTime;
         end == sandbox::SandboxEnd::Running && steady_clock::now() < deadline; end = live.sandbox->state())
        std::this_thread::sleep_for(Millis(10));
    const auto failure = live.link.failure();
    const std::string words = live.sandbox->lastWords().substr(0, kMostLastWords);
    const std::string why =
        (failure ? failure->message : "its stream ended") + (words.empty() ? "" : " (" + words + ")");
    switch (end) {
    case sandbox::SandboxEnd::OutOfMemory: return { "MemoryError", outOfMemoryText(limits), {}, {} };
    case sandbox::SandboxEnd::Exited:
        return { "SessionEnded", "the sandbox ended by itself: " + why, {}, {} };
    case sandbox::SandboxEnd::Stopped: return { "SessionEnded", "the session was ended", {}, {} };
    case sandbox::SandboxEnd::Lost: return { "SessionEnded", "the sandbox is gone: " + why, {}, {} };
    case sandbox::SandboxEnd::Running: break;
    }
    return { "SessionEnded", "the session was ended: " + why, {}, {} };
}

// The interpreter cannot always see why it was killed; the sandbox's control group can.
CellResult checkedForMemory(LiveSandbox& live, CellResult result, const sandbox::Limits& limits)
{
    if (result.status != CellStatus::Died || !result.error)
        return result;
    const auto sample = live.sandbox->sample();
    if (sample && sample->oomKills > live.oomKills) {
        live.oomKills = sample->oomKills;
        result.error->type = "MemoryError";
        result.error->message = outOfMemoryText(limits) + (result.restarted ? kNamesGone : "");
    }
    return result;
}

} // namespace

SandboxSession::SandboxSession(SessionParts parts, std::optional<SessionFolder> folder, Listener listener)
    : m_parts(std::move(parts))
    , m_listener(std::move(listener))
    , m_createdAt(isoTime(m_parts.clock->now()))
    , m_journal(std::move(folder), *m_parts.clock)
    , m_intake(*m_parts.artifacts)
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
    auto sandbox = m_parts.backend->start(m_parts.sandboxSpec);
    if (!sandbox)
        return sandbox.error();
    return adopt(std::move(*sandbox));
}

Result<void> SandboxSession::attach(const sandbox::FoundSandbox& found)
{
    auto sandbox = m_parts.backend->attach(found);
    if (!sandbox)
        return sandbox.error();
    return adopt(std::move(*sandbox));
}

Result<void> SandboxSession::adopt(std::unique_ptr<sandbox::Sandbox> sandbox)
{
    const auto live = std::make_shared<LiveSandbox>(std::move(sandbox),
                                                    [this](const Frame& frame) { takeIdleFrame(frame); });
    if (auto greeted = greet(live, CellLimits().outputBytes); !greeted) {
        CellError cause = causeOfDeath(*live, m_parts.spec.limits);
        live->sandbox->end();
        return Error{ Errc::Unavailable,
                      "start session " + m_parts.id.value + " on " + m_parts.backendName + ": "
                          + greeted.error().message + " (" + cause.message + ")" };
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_ended)
            return Error{ Errc::Cancelled, "session " + m_parts.id.value + " was ended while it started" };
        m_live = live;
        m_state = "idle";
        m_sandboxName = live->sandbox->name();
    }
    m_journal.started(info(), m_parts.spec.image);
    return {};
}

Result<void> SandboxSession::greet(const Live& live, std::int64_t outputLimit)
{
    const auto ready = live->link.hello(
        { { "output_limit", outputLimit }, { "grace_ms", static_cast<std::int64_t>(kGrace.count()) } },
        kHelloTime);
    if (!ready)
        return ready.error();
    if (ready->event != "ready" || ready->body.intOr("v", 0) != 1)
        return Error{ Errc::Unsupported, "its runner speaks another version of the protocol" };
    live->outputLimit = outputLimit;
    // Found again: whatever an earlier workbench left running would hold up our cells.
    const std::int64_t running = ready->body.intOr("running", 0);
    live->link.skipIds(std::clamp<std::int64_t>(running, 0, kMostOldId));
    if (ready->body["finished"].isList())
        for (const Value& finished : ready->body["finished"].asList())
            live->link.skipIds(std::clamp<std::int64_t>(finished.intOr("id", 0), 0, kMostOldId));
    if (running > 0 && ready->body.boolOr("resumed", false))
        return live->link.send({ { "op", "interrupt" }, { "id", running } });
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
    info.backend = m_parts.backendName;
    info.isolation = m_parts.backendInfo.isolation;
    info.sandboxName = m_sandboxName;
    info.state = m_state;
    info.createdAt = m_createdAt;
    info.limitsEnforced = m_parts.backendInfo.limitsEnforced;
    info.limits = m_parts.spec.limits;
    info.storage = m_parts.spec.storage;
    info.datasets = m_parts.spec.datasets;
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
    return execute({ { "op", "cell" }, { "code", code } }, limits, origin, handlers, std::move(stop));
}

CellResult SandboxSession::call(const FunctionCall& call, const CellLimits& limits,
                                const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                std::stop_token stop)
{
    ValueMap request{ { "op", "call" },
                      { "source", call.source },
                      { "file", call.file },
                      { "function", call.function },
                      { "state", Bytes{ encodeMsgpack(call.state) } },
                      { "config", Bytes{ encodeMsgpack(call.config) } } };
    if (!call.answers.empty())
        request.set("resume", Bytes{ encodeMsgpack(Value(call.answers)) });
    return execute(std::move(request), limits, origin, handlers, std::move(stop));
}

CellResult SandboxSession::execute(ValueMap request, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                   std::stop_token stop)
{
    const CellLine::Turn turn(m_line, stop);
    if (!turn)
        return stoppedInLine();
    if (!m_journal.isKept())
        return executeNow(std::move(request), limits, origin, handlers, stop);
    std::string printed;
    const CellHandlers watched{ [&](const CellOutput& output) {
                                   if (output.stream != CellOutput::Stream::Event
                                       && printed.size() < kMostJournalOutput)
                                       printed += output.bytes;
                                   if (handlers.output)
                                       handlers.output(output);
                               },
                                handlers.custom };
    const std::string code = codeText(request);
    CellResult result = executeNow(std::move(request), limits, origin, watched, stop);
    m_journal.executed(code, printed, result);
    return result;
}

// With the line.
CellResult SandboxSession::executeNow(ValueMap request, const CellLimits& limits,
                                      const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                      const std::stop_token& stop)
{
    const SteadyTime begin = steady_clock::now();
    const auto live = ensureLive(limits, handlers);
    if (!live)
        return failed(CellStatus::Died, { "SessionEnded", live.error().message, {}, {} });
    if (limits.deadline.count() > 0)
        request.set("deadline_ms", static_cast<std::int64_t>(limits.deadline.count()));
    setState("busy");
    CellFrames frames(request.at("op").asString() == "call", limits, m_parts.spec.limits, handlers);
    CellResult result = exchange(*live, std::move(request), limits, frames, stop);
    RunnerLink& link = (*live)->link;
    if (frames.mayHaveArtifacts() && !link.failure()) {
        artifacts::ArtifactOrigin from = origin;
        from.session = m_parts.id;
        if (const auto collected = m_intake.collect(link, from, stop, result); !collected) {
            link.close(collected.error());
            result.warnings.push_back("the session's artifacts could not be fetched: "
                                      + collected.error().message);
        }
    }
    if (link.failure())
        bury(*live);
    else
        setState("idle");
    {
        const std::lock_guard lock(m_mutex);
        result.restarted = std::exchange(m_namesLost, false) || result.restarted;
    }
    result.seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
    return result;
}

Result<SandboxSession::Live> SandboxSession::ensureLive(const CellLimits& limits,
                                                        const CellHandlers& handlers)
{
    if (m_ended)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " was ended" };
    Live live = current();
    if (live && live->link.failure()) {
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
    if (live->outputLimit != limits.outputBytes) {
        if (auto greeted = greet(live, limits.outputBytes); !greeted) {
            live->link.close(greeted.error());
            bury(live);
            return std::move(greeted.error()).during("session " + m_parts.id.value);
        }
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

CellResult SandboxSession::exchange(const Live& live, ValueMap request, const CellLimits& limits,
                                    CellFrames& frames, const std::stop_token& stop)
{
    auto exchange = live->link.begin(std::move(request));
    if (!exchange) {
        if (exchange.error().code == Errc::LimitExceeded)
            return failed(CellStatus::Error, { "ValueError", exchange.error().message, {}, {} });
        return lost(live, std::move(frames.result()));
    }
    std::atomic<SteadyTime::rep> endBy{ std::numeric_limits<SteadyTime::rep>::max() };
    const auto allow = [&](Millis time) {
        endBy = std::min(endBy.load(),
                         (steady_clock::now() + time + kGrace + kBeyondGrace).time_since_epoch().count());
    };
    if (limits.deadline.count() > 0)
        allow(limits.deadline);
    const std::stop_callback interrupt(stop, [&] {
        allow(Millis(0));
        static_cast<void>(live->link.send({ { "op", "interrupt" }, { "id", exchange->id() } }));
    });
    while (true) {
        const SteadyTime limit{ SteadyTime::duration(endBy.load()) };
        auto frame = exchange->next(std::min(steady_clock::now() + kLookAgain, limit));
        if (!frame && frame.error().code == Errc::Timeout) {
            if (steady_clock::now() < SteadyTime(SteadyTime::duration(endBy.load())))
                continue;
            live->link.close(
                { Errc::Timeout, "its runner did not answer the deadline, so the sandbox was ended" });
        } else if (frame) {
            const auto last = frames.take(*frame);
            if (last && *last)
                return checkedForMemory(*live, std::move(frames.result()), m_parts.spec.limits);
            if (!last)
                live->link.close(last.error());
        }
        if (live->link.failure())
            return lost(live, std::move(frames.result()));
    }
}

CellResult SandboxSession::lost(const Live& live, CellResult soFar)
{
    const auto failure = live->link.failure();
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
    CellError cause = causeOfDeath(*live, m_parts.spec.limits);
    live->sandbox->end();
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
    return live->sandbox->sample();
}

void SandboxSession::tick()
{
    const Live live = current();
    if (!live)
        return;
    if (live->link.writeHangs(kWriteTime))
        live->link.close({ Errc::Timeout, "its runner does not read what it is sent" });
    live->link.pump();
    m_journal.saveIfChanged();
    if (!live->link.failure())
        return;
    // Only between cells; whoever runs one sees it too, and must be able to say why.
    const CellLine::Turn turn(m_line);
    if (turn)
        bury(live);
}

SandboxSession::Live SandboxSession::takeOut()
{
    const std::lock_guard lock(m_mutex);
    if (m_ended.exchange(true))
        return nullptr;
    m_state = "ended: the session was ended";
    return std::exchange(m_live, nullptr);
}

void SandboxSession::end()
{
    const Live live = takeOut();
    if (!live)
        return;
    live->link.close({ Errc::Cancelled, "the session was ended" });
    live->sandbox->end();
    m_journal.stopped(info());
    m_listener(SessionEvent::Kind::Ended, info(), "the session was ended");
}

void SandboxSession::leave()
{
    if (const Live live = takeOut())
        live->link.close({ Errc::Cancelled, "the workbench let go of the session" });
    m_journal.saveIfChanged();
}

} // namespace sg::sessions
