#include "core/base/msgpack.h"
#include "core/sessions/live/disk_watch.h"
#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/live/secret_border.h"
#include "core/sessions/runner/cell_frames.h"
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

CellResult stoppedInLine()
{
    return failed(CellStatus::Stopped, { "Stopped", "the code was stopped before it began", {}, {} });
}

} // namespace

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
    return execute({ std::move(request), call.world, call.caller, call.keepsFailed, call.isOfRun }, limits,
                   origin, handlers, std::move(stop));
}

CellResult SandboxSession::execute(CellWork work, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& given,
                                   std::stop_token stop)
{
    const CellLine::Turn turn(m_line, stop);
    if (!turn)
        return stoppedInLine();
    const CellHandlers handlers = withTools(given, limits, origin, stop);
    m_network.noteOrigin(origin);
    const SessionAudit::Cell audited = m_audit.cellStarts(work.request, origin);
    if (m_parts.answerTool && m_parts.spec.mode.datasets != DatasetAccess::None)
        addTool(work.request);
    if (!m_journal.isKept()) {
        CellResult result = executeClean(std::move(work), limits, origin, handlers, stop);
        m_audit.cellEnded(audited, origin, result);
        return result;
    }
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
    CellResult result = executeClean(std::move(work), limits, origin, watched, stop);
    m_audit.cellEnded(audited, origin, result);
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
        auto answer = m_parts.answerTool(
            *this,
            { kind, request, [&] { return !stop.stop_requested() && steady_clock::now() < end; }, say });
        m_audit.dataset(request, origin, answer);
        return answer;
    };
    return with;
}

CellResult SandboxSession::executeClean(CellWork work, const CellLimits& limits,
                                        const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                        const std::stop_token& stop)
{
    if (m_parts.spec.secrets.empty() && m_parts.spec.secretHeaders.empty())
        return executeNow(std::move(work), limits, origin, handlers, stop);
    SecretBorder border(handlers);
    CellResult result = executeNow(std::move(work), limits, origin, border.handlers(), stop);
    border.finish(result);
    return result;
}

// The caller holds the line.
CellResult SandboxSession::executeNow(CellWork work, const CellLimits& limits,
                                      const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                                      const std::stop_token& stop)
{
    const SteadyTime begin = steady_clock::now();
    const auto live =
        ensureLive(limits, handlers, { work.isOfRun, stop, [&](const std::string& line) {
                                          if (handlers.output)
                                              handlers.output({ CellOutput::Stream::Event, line });
                                      } });
    if (!live && live.error().code == Errc::Cancelled && stop.stop_requested())
        return stoppedInLine();
    if (!live)
        return failed(CellStatus::Died, { "SessionEnded", live.error().message, {}, {} });
    if (limits.deadline.count() > 0)
        work.request.set("deadline_ms", static_cast<std::int64_t>(limits.deadline.count()));
    setState(SessionState::Kind::Busy);
    CellResult before;
    if (auto cannot = m_repair.enter(*live, work, before)) {
        setState(SessionState::Kind::Idle);
        CellResult result = failed(CellStatus::Error, std::move(*cannot));
        result.restored = std::move(before.restored);
        return result;
    }
    if (const std::string loss = m_repair.tell(handlers, before, work.world == nullptr); !loss.empty())
        m_listener(SessionEvent::Kind::Restarted, info(), loss);
    SessionRewind& rewind = m_repair.rewind();
    if (work.world != nullptr && rewind.isOn())
        rewind.prepare(work.request, work.keepsFailed);
    const sandbox::Limits sandboxLimits = m_limits.now();
    (*live)->setLimits(sandboxLimits);
    CellFrames frames(work.request.at("op").asString() == "call", limits, sandboxLimits, handlers);
    showIdle(frames, (*live)->link());
    std::optional<DiskWatch> disk;
    if (m_journal.isKept())
        disk.emplace([this] { return m_journal.folderBytes(); }, sandboxLimits.tmpfsBytes,
                     m_limits.disk().used, stop);
    auto executed =
        (*live)->run(std::move(work.request), limits, frames, disk ? disk->token() : stop, [&rewind] {
            if (rewind.isOn())
                rewind.watchMemory();
        });
    CellResult result = executed ? std::move(*executed) : lost(*live, std::move(frames.result()));
    if (disk && disk->stoppedAt() > 0 && result.status != CellStatus::Ok && !stop.stop_requested())
        tellDiskFull(disk->stoppedAt(), sandboxLimits, result);
    disk.reset();
    if (work.world != nullptr && result.status == CellStatus::Ok && result.restarted) {
        CellResult unlike = failed(CellStatus::Died,
                                   { "InterpreterDied",
                                     "the interpreter was killed before the code began, which so ran without "
                                     "the session's names; what it returned is dropped",
                                     {},
                                     {} });
        unlike.restarted = true;
        result = std::move(unlike);
    }
    result.restored = std::move(before.restored);
    RunnerLink& link = (*live)->link();
    if (frames.mayHaveArtifacts() && !link.failure())
        collectArtifacts(*live, origin, handlers, stop, result);
    m_repair.leave(**live, work, frames.copyFollows(), result);
    m_repair.noteAsleep();
    if (link.failure())
        bury(*live);
    else
        setState(SessionState::Kind::Idle);
    {
        const auto uses = m_uses.lock();
        uses->last = m_parts.clock->now();
        ++uses->cells;
        ++uses->newCells;
    }
    m_repair.cellEnded(result);
    result.seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
    return result;
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
    soFar.error = cause
        ? std::move(*cause)
        : CellError{ "SessionEnded", failure ? failure->message : "the session was ended", {}, {} };
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

void SandboxSession::tellDiskFull(std::int64_t used, const sandbox::Limits& limits, CellResult& result)
{
    m_limits.noteDisk({ used, limits.tmpfsBytes }); // so that the next cell may remove files but add none
    const std::string traceback = result.error ? result.error->traceback : std::string();
    result.status = CellStatus::Error;
    result.error = CellError{ "DiskLimitExceeded",
                              "the session's folder holds " + byteText(used) + ", its limit is "
                                  + byteText(limits.tmpfsBytes) + ": the code was stopped. Remove files (in "
                                  + m_parts.sandboxSpec.sessionFolder.string() + "), or raise \"tmpfs_mb\""
                                  + (result.restarted ? kNamesGone : ""),
                              traceback,
                              {} };
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
