#include "core/base/msgpack.h"
#include "core/sessions/live/disk_watch.h"
#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <utility>

// Cells and calls: one in the sandbox at a time, in step with its snapshots, and what is left when it dies.
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

// Thousands of files take seconds: who waits is told now and then.
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

bool hasLostNames(const Restored& restored)
{
    return restored.kind == Restored::Kind::FilesOnly
        || (restored.kind == Restored::Kind::Stored && !restored.missing.empty());
}

CellError namesLost(const Restored& restored)
{
    return { kNamesLost,
             "the session was lost between two steps of this run, and came back as: " + describe(restored)
                 + ". What the node was to work with is not all there, so it did not run. Resume the thread "
                   "to go on with what there is, or run again from an earlier checkpoint",
             {},
             {} };
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

CellResult SandboxSession::execute(Work work, const CellLimits& limits,
                                   const artifacts::ArtifactOrigin& origin, const CellHandlers& given,
                                   std::stop_token stop)
{
    const CellLine::Turn turn(m_line, stop);
    if (!turn)
        return stoppedInLine();
    const CellHandlers handlers = withTools(given, limits, origin, stop);
    {
        const std::lock_guard lock(m_mutex);
        m_origin = origin;
    }
    const AuditedCell audited = auditCellStart(work.request, origin);
    if (m_parts.answerTool && m_parts.spec.mode.datasets != DatasetAccess::None)
        addTool(work.request);
    if (!m_journal.isKept()) {
        CellResult result = executeClean(std::move(work), limits, origin, handlers, stop);
        auditCell(audited, origin, result);
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
    auditCell(audited, origin, result);
    m_journal.executed(code, printed, result);
    return result;
}

// The session's own tools are answered here, all else by whoever runs the cell.
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
        auditDataset(request, origin, answer);
        return answer;
    };
    return with;
}

// With the line.
CellResult SandboxSession::executeNow(Work work, const CellLimits& limits,
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
    setState("busy");
    CellResult before;
    if (auto cannot = enterWorld(*live, work, before)) {
        setState("idle");
        CellResult result = failed(CellStatus::Error, std::move(*cannot));
        result.restored = std::move(before.restored);
        return result;
    }
    tellOfLoss(handlers, before, work.world == nullptr);
    if (work.world != nullptr && m_rewind.isOn())
        m_rewind.prepare(work.request, work.keepsFailed);
    const sandbox::Limits sandboxLimits = this->limits();
    (*live)->setLimits(sandboxLimits);
    CellFrames frames(work.request.at("op").asString() == "call", limits, sandboxLimits, handlers);
    showIdle(frames, (*live)->link());
    std::optional<DiskWatch> disk;
    if (m_journal.isKept())
        disk.emplace([this] { return m_journal.folderBytes(); }, sandboxLimits.tmpfsBytes, diskBytes(), stop);
    auto executed =
        (*live)->run(std::move(work.request), limits, frames, disk ? disk->token() : stop, [this] {
            if (m_rewind.isOn())
                m_rewind.watchMemory();
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
    if (frames.mayHaveArtifacts() && !link.failure()) {
        artifacts::ArtifactOrigin from = origin;
        from.session = m_parts.id;
        if (const auto collected = m_intake.collect({ link, from, stop, result,
                                                      dynamic_cast<sandbox::FolderView*>(&(*live)->sandbox()),
                                                      intakeProgress(handlers) });
            !collected) {
            link.close(collected.error());
            const std::string why =
                "the session's artifacts could not be fetched: " + collected.error().message;
            result.warnings.push_back(why);
            result.storeFailure = result.storeFailure.value_or(why);
        }
    }
    leaveWorld(**live, work, frames.copyFollows(), result);
    noteAsleep();
    if (link.failure())
        bury(*live);
    else
        setState("idle");
    {
        const std::lock_guard lock(m_mutex);
        m_lastUsed = m_parts.clock->now();
        ++m_cells;
        ++m_newCells;
        if (result.restarted && m_loss == Loss::None)
            m_loss = Loss::Names; // of what ran: to be made good by what comes next
        result.restarted = std::exchange(m_namesLost, false) || result.restarted;
    }
    result.seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
    return result;
}

// What was shown while no code ran belongs to whatever runs next.
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

std::int64_t SandboxSession::diskBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_diskBytes;
}

void SandboxSession::tellDiskFull(std::int64_t used, const sandbox::Limits& limits, CellResult& result)
{
    {
        const std::lock_guard lock(m_mutex);
        m_diskBytes = used; // the next cell may remove files, and add none
        m_diskLimit = limits.tmpfsBytes;
    }
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

std::optional<CellError> SandboxSession::enterWorld(const Live& live, const Work& work, CellResult& result)
{
    if (!m_rewind.isOn())
        return std::nullopt;
    m_rewind.use(live);
    {
        const std::lock_guard lock(m_mutex);
        if (m_namesLost && m_loss == Loss::None) // between calls
            m_loss = Loss::Names;
    }
    if (work.world == nullptr) {
        comeBack(result);
        m_rewind.changes(true);
        return std::nullopt;
    }
    const Stand stand = work.world->stand(work.caller);
    auto brought = standAs(stand, result);
    if (brought && stand.isOfRun && hasLostNames(*brought)) {
        m_rewind.changes(false); // another attempt finds no more than this one
        result.restored = std::move(*brought);
        return namesLost(*result.restored);
    }
    if (!brought && !live->link().failure())
        return CellError{ "SandboxError", brought.error().message, {}, {} };
    if (brought && brought->kind == Restored::Kind::AsItWas && result.restored) {
        result.restored->lacks = std::move(brought->lacks);
    } else if (brought
               && (brought->kind != Restored::Kind::AsItWas || !brought->lacks.empty()
                   || brought->keepsEdits)) {
        const std::lock_guard lock(m_mutex);
        if (brought->kind != Restored::Kind::AsItWas)
            m_namesLost = false; // they are what the result says
        result.restored = std::move(*brought);
    }
    if (brought && m_rewind.standsNowhere()) {
        auto snapshot = m_rewind.take();
        // Of a sandbox that is ending it holds nothing: whoever came back to it would keep what is there
        // then.
        if (!live->link().failure())
            work.world->began(work.caller, std::move(snapshot));
    }
    m_rewind.changes(false);
    return std::nullopt;
}

void SandboxSession::leaveWorld(LiveSandbox& live, const Work& work, bool copyFollows, CellResult& result)
{
    if (!m_rewind.isOn() || work.world == nullptr || live.link().failure())
        return;
    const bool isGood = result.status == CellStatus::Ok && !result.storeFailure;
    const bool isWanted = isGood || work.keepsFailed;
    if (!isWanted || !copyFollows)
        m_rewind.dismiss(copyFollows);
    if (!isWanted)
        return;
    auto snapshot = m_rewind.take();
    if (isGood && m_rewind.cameTooLate()) { // its task is to run again, from where the session stood before
        result.status = CellStatus::Died;
        result.restarted = true;
        result.error = CellError{ "InterpreterDied",
                                  "the interpreter was killed as the code had just ended: the names that it "
                                  "left are gone",
                                  {},
                                  {} };
        return;
    }
    work.world->moved(work.caller, std::move(snapshot), work.keepsFailed);
}

void SandboxSession::noteAsleep()
{
    if (!m_rewind.isOn())
        return;
    std::vector<SnapshotId> asleep = m_rewind.asleep();
    const std::lock_guard lock(m_mutex);
    m_asleep = std::move(asleep);
}

void SandboxSession::takeIdleFrame(const Frame& frame)
{
    const std::lock_guard lock(m_mutex);
    const Value& data = frame.body["data"];
    if (frame.event == "out" && data.isBytes()) {
        m_idleOutput +=
            data.asBytes().substr(0, kMostIdleOutput - std::min(kMostIdleOutput, m_idleOutput.size()));
    } else if (frame.event == "display" && frame.bytes <= kMostIdleShown - m_idleShownBytes) {
        m_idleShownBytes += frame.bytes;
        m_idleShown.push_back(frame);
    } else if (frame.event == "restarted") {
        m_namesLost = true;
    }
}

} // namespace sg::sessions
