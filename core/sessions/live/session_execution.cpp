#include "core/base/msgpack.h"
#include "core/sessions/live/disk_watch.h"
#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/live/secret_border.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/extra_interpreter.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <utility>

// Cells and calls: one in the sandbox at a time, in step with its snapshots, and what remains when the
// sandbox dies.
namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr const char* kDatasets = "datasets";
constexpr Millis kTellAgain{ 2000 };
constexpr std::size_t kMostIdleOutput = 256U << 10;
constexpr std::size_t kMostIdleShown = 1U << 20;
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

// Thousands of files take seconds, so progress is printed now and then.
std::function<void(std::size_t)> intakeProgress(const CellHandlers& handlers)
{
    return [&handlers, told = steady_clock::now()](std::size_t files) mutable {
        if (!handlers.output || steady_clock::now() - told < kTellAgain)
            return;
        told = steady_clock::now();
        handlers.output(
            { CellOutput::Stream::Event,
              "storing what was left in artifacts/: " + std::to_string(files) + " files so far" });
    };
}

double secondsSince(SteadyTime begin)
{
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

CellResult ranWithoutNames()
{
    CellResult result = failed(CellStatus::Died,
                               { "InterpreterDied",
                                 "the interpreter was killed before the code began, which so ran without the "
                                 "session's names; what it returned is dropped" });
    result.restarted = true;
    return result;
}

CellResult stoppedInLine()
{
    return failed(CellStatus::Stopped, { "Stopped", "the code was stopped before it began" });
}

} // namespace

CellResult SandboxSession::runCell(const std::string& code, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                   std::stop_token stop)
{
    return execute({ { { "op", "cell" }, { "code", code } } }, limits, origin, handlers, std::move(stop));
}

CellResult SandboxSession::runIn(ExtraInterpreter& interpreter, const std::string& code,
                                 const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                 std::stop_token stop)
{
    const SessionAudit::Cell audited = m_audit.cellStarts({ { "op", "cell" }, { "code", code } }, origin);
    CellLimits limits;
    limits.deadline = std::chrono::milliseconds(0); // its caller stops it
    SecretBorder border(handlers);
    CellResult result = interpreter.run(code, limits, border.handlers(), stop);
    border.finish(result);
    m_audit.cellEnded(audited, origin, result);
    return result;
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
    if (!origin.run.empty())
        request.set("run", origin.run.value);
    if (!call.asks.empty()) {
        ValueList asks;
        for (const std::string& kind : call.asks)
            asks.emplace_back(kind);
        request.set("asks", std::move(asks));
    }
    if (!call.failed.isNull())
        request.set("failed", call.failed);
    if (!call.answers.empty())
        request.set("resume", Bytes{ encodeMsgpack(Value(call.answers)) });
    CellWork work{ std::move(request), call.world, call.caller, call.keepsFailed, call.isOfRun, call.beside };
    if (call.beside)
        work.caller.superstep = call.beside->group;
    return execute(std::move(work), limits, origin, handlers, std::move(stop));
}

CellResult SandboxSession::execute(CellWork work, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& given,
                                   std::stop_token stop)
{
    const SteadyTime asked = steady_clock::now();
    CellLine::Turn turn(m_line, stop, work.beside ? CellLine::Access::Shared : CellLine::Access::Alone);
    if (!turn)
        return stoppedInLine();
    std::optional<BesideCalls::Place> place;
    if (work.beside) {
        const auto memory = [this]() -> std::optional<sandbox::ResourceSample> {
            const Live live = current();
            auto sample = live ? live->sandbox().sample() : Result<sandbox::ResourceSample>(Error());
            return sample ? std::optional(*sample) : std::nullopt;
        };
        place.emplace(m_beside.place(m_limits.now(), memory, stop));
        if (!*place)
            return stoppedInLine();
    }
    const SteadyTime begin = steady_clock::now();
    const CellHandlers handlers = withTools(given, limits, origin, stop);
    CellResult result = executeTurn(std::move(work), { limits, origin, handlers, stop, turn, place });
    result.waitedSeconds += std::chrono::duration<double>(begin - asked).count();
    return result;
}

CellResult SandboxSession::executeTurn(CellWork work, const CellRun& run)
{
    m_network.noteOrigin(run.origin);
    const SessionAudit::Cell audited = m_audit.cellStarts(work.request, run.origin);
    if (m_parts.answerTool && m_parts.spec.mode.datasets != DatasetAccess::None)
        addTool(work.request);
    if (!m_journal.isKept()) {
        CellResult result = executeClean(std::move(work), run);
        m_audit.cellEnded(audited, run.origin, result);
        return result;
    }
    std::string printed;
    const CellHandlers& handlers = run.handlers;
    const CellHandlers watched{ [&](const CellOutput& output) {
                                   if (output.stream != CellOutput::Stream::Event
                                       && printed.size() < kMostJournalOutput)
                                       printed += output.bytes;
                                   if (handlers.output)
                                       handlers.output(output);
                               },
                                handlers.custom, handlers.ask, handlers.display, handlers.datasets };
    const std::string code = codeText(work.request);
    CellResult result =
        executeClean(std::move(work), { run.limits, run.origin, watched, run.stop, run.turn, run.place });
    m_audit.cellEnded(audited, run.origin, result);
    m_journal.executed(code, printed, result);
    return result;
}

// This session's own tools are answered here; other requests go to the caller.
CellHandlers SandboxSession::withTools(const CellHandlers& handlers, const CellLimits& limits,
                                       const artifacts::ArtifactOrigin& origin, const std::stop_token& stop)
{
    CellHandlers with = handlers;
    if (!m_parts.answerTool)
        return with;
    const SteadyTime end =
        limits.deadline.count() > 0 ? steady_clock::now() + limits.deadline : SteadyTime::max();
    with.ask = [this, &handlers, &origin, end, stop](const std::string& kind,
                                                     const Value& request) -> Result<Value> {
        if (kind != kDatasets) {
            if (handlers.ask)
                return handlers.ask(kind, request);
            return Error{ Errc::Unsupported, "nothing here answers requests of kind '" + kind + "'" };
        }
        const auto say = [&](const std::string& text) {
            if (handlers.output)
                handlers.output({ CellOutput::Stream::Event, text });
        };
        const std::function<Result<Value>()> byTool = [&] {
            return m_parts.answerTool(*this,
                                      { kind, request, origin,
                                        [&] { return !stop.stop_requested() && steady_clock::now() < end; },
                                        say });
        };
        auto answer = handlers.datasets ? handlers.datasets(request, byTool) : byTool();
        m_audit.dataset(request, origin, answer);
        return answer;
    };
    return with;
}

CellResult SandboxSession::executeClean(CellWork work, const CellRun& run)
{
    if (m_parts.spec.secrets.empty() && m_parts.spec.secretHeaders.empty())
        return executeNow(std::move(work), run);
    SecretBorder border(run.handlers);
    CellResult result = executeNow(
        std::move(work), { run.limits, run.origin, border.handlers(), run.stop, run.turn, run.place });
    border.finish(result);
    return result;
}

SessionAsker SandboxSession::askerFor(const CellWork& work, const CellRun& run)
{
    return { work.isOfRun, run.stop, [&run](const std::string& line) {
                if (run.handlers.output)
                    run.handlers.output({ CellOutput::Stream::Event, line });
            } };
}

// The caller has a turn.
CellResult SandboxSession::executeNow(CellWork work, const CellRun& run)
{
    const CellLimits& limits = run.limits;
    if (limits.deadline.count() > 0)
        work.request.set("deadline_ms", static_cast<std::int64_t>(limits.deadline.count()));
    double waited = 0;
    if (work.beside) {
        if (auto result = executeBeside(work, run))
            return *std::move(result);
        const SteadyTime asked = steady_clock::now();
        run.place.reset(); // others may need it to give up their turns
        if (!run.turn.becomeAlone(run.stop))
            return stoppedInLine();
        waited = secondsSince(asked);
    }
    const SteadyTime begin = steady_clock::now();
    const auto live = ensureLive(limits, run.handlers, askerFor(work, run));
    if (!live && live.error().code == Errc::Cancelled && run.stop.stop_requested())
        return stoppedInLine();
    if (!live)
        return failed(CellStatus::Died, { "SessionEnded", live.error().message });
    setState(SessionState::Kind::Busy);
    CellResult before;
    if (auto cannot = m_repair.enter(*live, work, before)) {
        setState(SessionState::Kind::Idle);
        CellResult result = failed(CellStatus::Error, std::move(*cannot));
        result.restored = std::move(before.restored);
        return result;
    }
    tellLoss(before, work, run);
    SessionRewind& rewind = m_repair.rewind();
    if (work.world != nullptr && rewind.isOn())
        rewind.prepare(work.request, work.keepsFailed);
    const sandbox::Limits sandboxLimits = m_limits.now();
    (*live)->setLimits(sandboxLimits);
    CellFrames frames(work.request.at("op").asString() == "call", limits, sandboxLimits, run.handlers);
    showIdle(frames, (*live)->link());
    CellResult result = runFrames(*live, std::move(work.request), run, frames, [&rewind] {
        if (rewind.isOn())
            rewind.watchMemory();
    });
    if (work.world != nullptr && result.status == CellStatus::Ok && result.restarted)
        result = ranWithoutNames();
    result.restored = std::move(before.restored);
    RunnerLink& link = (*live)->link();
    if (frames.mayHaveArtifacts() && !link.failure())
        collectArtifacts(*live, run.origin, run.handlers, run.stop, result);
    m_repair.leave(**live, work, frames.copyFollows(), result);
    m_repair.noteAsleep();
    if (link.failure())
        bury(*live);
    else
        setState(SessionState::Kind::Idle);
    countCell();
    m_repair.cellEnded(result);
    result.seconds = secondsSince(begin);
    result.waitedSeconds = waited;
    return result;
}

void SandboxSession::countCell()
{
    const auto uses = m_uses.lock();
    uses->last = m_parts.clock->now();
    ++uses->cells;
    ++uses->newCells;
}

void SandboxSession::tellLoss(const CellResult& before, const CellWork& work, const CellRun& run)
{
    if (const std::string loss = m_repair.tell(run.handlers, before, work.world == nullptr); !loss.empty())
        m_listener(SessionEvent::Kind::Restarted, info(), loss);
}

// Code that fills a folder on this machine is stopped.
CellResult SandboxSession::runFrames(const Live& live, ValueMap request, const CellRun& run,
                                     CellFrames& frames, const std::function<void()>& whileWaiting)
{
    const sandbox::Limits limits = m_limits.now();
    std::optional<DiskWatch> disk;
    if (m_journal.isKept())
        disk.emplace([this] { return m_journal.folderSize(); }, limits.tmpfsBytes, m_limits.disk().used,
                     run.stop);
    auto executed =
        live->run(std::move(request), run.limits, frames, disk ? disk->token() : run.stop, whileWaiting);
    CellResult result = executed ? std::move(*executed) : lost(live, std::move(frames.result()));
    if (disk)
        disk->lookAtTheEnd();
    const auto full = disk ? disk->stoppedAt() : std::nullopt;
    if (full && !run.stop.stop_requested()) // also where the code went on in spite of the interrupt
        tellDiskFull(*full, limits, result);
    return result;
}

// --- beside each other ---

// The session itself stands still meanwhile: only whoever has the step changes it.
std::optional<CellResult> SandboxSession::executeBeside(CellWork& work, const CellRun& run)
{
    CellResult before;
    Live live;
    {
        const CellLine::Turn step(m_beside.step(), run.stop);
        if (!step)
            return stoppedInLine();
        auto found = ensureLive(run.limits, run.handlers, askerFor(work, run));
        if (!found && found.error().code == Errc::Cancelled && run.stop.stop_requested())
            return stoppedInLine();
        if (!found)
            return failed(CellStatus::Died, { "SessionEnded", found.error().message });
        live = std::move(*found);
        if (auto cannot = m_repair.enterBeside(live, work, before)) {
            CellResult result = failed(CellStatus::Error, std::move(*cannot));
            result.restored = std::move(before.restored);
            return result;
        }
        tellLoss(before, work, run);
        std::string why;
        if (!m_beside.branch(*live, work, why)) {
            if (run.handlers.output)
                run.handlers.output(
                    { CellOutput::Stream::Event, "it runs alone, not beside others: " + why });
            return std::nullopt;
        }
        if (m_beside.running() == 1) // nobody else reads them now
            live->setLimits(m_limits.now());
        setState(SessionState::Kind::Busy);
    }
    CellResult result = runBeside(live, work, run, std::move(before));
    if (result.status == CellStatus::Error && result.error && result.error->type == "NotAsleep") {
        work.request.set("fork", Value()); // the copy has just left
        return std::nullopt;
    }
    return result;
}

CellResult SandboxSession::runBeside(const Live& live, CellWork& work, const CellRun& run, CellResult before)
{
    const SteadyTime begin = steady_clock::now();
    CellFrames frames(true, run.limits, m_limits.now(), run.handlers);
    CellResult result = runFrames(live, work.request, run, frames, [this] {
        SessionRewind& rewind = m_repair.rewind();
        if (const CellLine::Turn step(m_beside.step()); step && rewind.isOn())
            rewind.watchMemory();
    });
    const CellLine::Turn step(m_beside.step(), {});
    if (result.status == CellStatus::Ok)
        joinBeside(live, work, run, frames, result);
    if (before.restored)
        result.restored = std::move(before.restored);
    m_repair.noteAsleep();
    if (live->link().failure())
        bury(live);
    else if (m_beside.running() == 1)
        setState(SessionState::Kind::Idle);
    countCell();
    result.seconds = secondsSince(begin);
    return result;
}

// The caller has the step.
void SandboxSession::joinBeside(const Live& live, const CellWork& work, const CellRun& run,
                                const CellFrames& frames, CellResult& result)
{
    CellResult now;
    auto fault = m_repair.enterBeside(live, work, now); // the interpreter may have died meanwhile
    if (now.restored && !result.restored)
        result.restored = std::move(now.restored);
    bool changed = false;
    if (fault)
        BesideCalls::giveUp(*live, frames.id());
    else
        fault = m_beside.join(*live, work, frames.id(), frames.hasKeptNames(), changed);
    if (fault) {
        result.status = CellStatus::Error;
        result.error = std::move(*fault);
        return;
    }
    if (frames.mayHaveArtifacts() && !live->link().failure())
        collectArtifacts(live, run.origin, run.handlers, run.stop, result);
    m_repair.leaveBeside(*live, work, changed, result);
}

void SandboxSession::collectArtifacts(const Live& live, const artifacts::ArtifactOrigin& origin,
                                      const CellHandlers& handlers, const std::stop_token& stop,
                                      CellResult& result)
{
    artifacts::ArtifactOrigin from = origin;
    from.session = m_parts.id;
    const auto collected =
        m_intake.collect({ live->link(), from, stop, result,
                           dynamic_cast<sandbox::FolderView*>(&live->sandbox()), intakeProgress(handlers) });
    if (collected)
        return;
    live->link().close(collected.error());
    const std::string why = "the session's artifacts could not be fetched: " + collected.error().message;
    result.warnings.push_back(why);
    result.storeFailure = result.storeFailure.value_or(why);
}

Result<SandboxSession::Live>
SandboxSession::ensureLive(const CellLimits& limits, const CellHandlers& handlers, const SessionAsker& asker)
{
    const auto hasEnded = [this] {
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has " + info().state.text() };
    };
    if (m_ended)
        return hasEnded();
    Live live = current();
    if (live && live->link().failure()) {
        bury(live);
        if (m_ended) // by another program
            return hasEnded();
        live = nullptr;
    }
    if (!live) {
        // The session made room, and another program has started the thread's session since.
        if (m_place.hasMadeRoom() && m_parts.spec.keep && m_parts.isAnothers && m_parts.isAnothers())
            letGo();
        if (auto started = m_ended ? Result<void>(hasEnded()) : startAgain(asker); !started)
            return m_ended ? hasEnded() : started.error();
        live = current();
        if (!live)
            return hasEnded();
    }
    if (live->sandbox().isPaused())
        if (auto woken = live->sandbox().unpause(); !woken)
            return std::move(woken.error()).during("wake session " + m_parts.id.value);
    if (auto greeted = live->greet(limits); !greeted) {
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
    soFar.error = cause ? std::move(*cause)
                        : CellError{ "SessionEnded", failure ? failure->message : "the session was ended" };
    return soFar;
}

// Things shown while no code ran are attributed to the next cell.
void SandboxSession::showIdle(CellFrames& frames, RunnerLink& link)
{
    std::vector<Frame> shown;
    {
        const std::lock_guard lock(m_mutex);
        shown = std::exchange(m_idleShown, {});
        m_idleShownBytes = 0;
    }
    for (const Frame& frame : shown)
        if (auto taken = frames.take(frame); !taken)
            return link.close(taken.error());
}

void SandboxSession::tellDiskFull(const FolderSize& used, const sandbox::Limits& limits, CellResult& result)
{
    m_limits.noteDisk(
        { used.bytes, limits.tmpfsBytes }); // so that the next cell may remove files but add none
    const std::string traceback = result.error ? result.error->traceback : std::string();
    result.status = CellStatus::Error;
    result.error = CellError{
        "DiskLimitExceeded",
        (used.isWhole ? "the session's folder holds " + byteText(used.bytes) + ", its limit is "
                 + byteText(limits.tmpfsBytes)
                      : std::string("the session's folder cannot be measured: more than "
                                    "a million files, more than 200 folders in each "
                                    "other, or one that cannot be read"))
            + ": the code was stopped. Remove files (in " + m_parts.sandboxSpec.sessionFolder.string() + ")"
            + (used.isWhole ? ", or raise \"tmpfs_mb\"" : "") + (result.restarted ? kNamesGone : ""),
        traceback,
        {}
    };
}

void SandboxSession::takeIdleFrame(const Frame& frame)
{
    if (frame.event == "restarted")
        m_repair.noteNamesLost();
    const std::lock_guard lock(m_mutex);
    const Value& data = frame.body["data"];
    if (frame.event == "out" && data.isBytes()) {
        m_idleOutput +=
            data.asBytes().substr(0, kMostIdleOutput - std::min(kMostIdleOutput, m_idleOutput.size()));
    } else if (frame.event == "display" && frame.bytes <= kMostIdleShown - m_idleShownBytes) {
        m_idleShownBytes += frame.bytes;
        m_idleShown.push_back(frame);
    }
}

} // namespace sg::sessions
