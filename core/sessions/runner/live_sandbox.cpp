#include "core/sessions/runner/live_sandbox.h"

#include "core/base/random_bytes.h"
#include "core/base/redaction.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kHelloTime{ 30'000 };
constexpr Millis kGrace{ 2000 };
constexpr std::int64_t kOutputChunk = 256 << 10; // as much output as its pipe holds
constexpr Millis kBeyondGrace{ 4000 }; // for the runner to report what it did
constexpr Millis kLimitsLookAgain{ 250 };
constexpr Millis kDeathTime{ 1000 }; // an engine's time to say why a sandbox ended
constexpr std::int64_t kMostOldId = 1LL << 40;
constexpr std::int64_t kIdsOfAProgram = 1 << 20; // more than one program has under way
constexpr std::int64_t kPlaces = 1024; // the runner is quickest with ids of 32 bits
constexpr std::int64_t kBesideState = 1 << 20; // of a frame, besides state: the code and its context
constexpr std::size_t kMostLastWords = 2000;

class Running {
public:
    explicit Running(std::atomic<int>& count)
        : m_count(count)
    {
        ++m_count;
    }
    ~Running() { --m_count; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

private:
    std::atomic<int>& m_count;
};

// The time by which the runner must have reported; a stop or a deadline brings it forward.
class Patience {
public:
    void endAfter(Millis time)
    {
        const auto end = (steady_clock::now() + time + kGrace + kBeyondGrace).time_since_epoch().count();
        m_end = std::min(m_end.load(), end);
    }
    [[nodiscard]] SteadyTime end() const { return SteadyTime(SteadyTime::duration(m_end.load())); }

private:
    std::atomic<SteadyTime::rep> m_end{ std::numeric_limits<SteadyTime::rep>::max() };
};

} // namespace

LiveSandbox::LiveSandbox(std::unique_ptr<sandbox::Sandbox> started, const sandbox::Limits& limits,
                         ValueMap options, RunnerLink::IdleListener idle)
    : m_limits(limits)
    , m_memoryBytes(limits.memoryBytes)
    , m_options(std::move(options))
    , m_sandbox(std::move(started))
    , m_link(m_sandbox->stream(), std::move(idle))
{
}

Result<void> LiveSandbox::greet(const CellLimits& limits)
{
    if (m_outputLimit == limits.outputBytes && m_stateLimit == limits.stateBytes)
        return {};
    // A later hello only changes limits: the other options are fixed, and the network was tried.
    ValueMap options = m_outputLimit < 0 ? m_options : ValueMap();
    const std::int64_t frameLimit =
        std::clamp<std::int64_t>(limits.stateBytes + kBesideState, kMaxFrameBytes, kLargestFrameBytes);
    options.set("output_limit", limits.outputBytes);
    options.set("frame_limit", frameLimit);
    options.set("chunk_limit", kOutputChunk);
    options.set("grace_ms", static_cast<std::int64_t>(kGrace.count()));
    const auto ready = m_link.hello(options, kHelloTime);
    if (!ready) {
        m_link.close(ready.error());
        return ready.error();
    }
    if (ready->event != "ready" || ready->body.intOr("v", 0) != 1) {
        Error reason{ Errc::Unsupported, "its runner speaks another version of the protocol" };
        m_link.close(reason);
        return reason;
    }
    if (options.contains("egress") && ready->body.stringOr("egress", "") != "ok") {
        Error reason{
            Errc::Unavailable,
            "its way to the network is not as it should be: "
                + ready->body.stringOr("egress", "its runner does not tell").substr(0, kMostLastWords)
        };
        m_link.close(reason);
        return reason;
    }
    if (m_outputLimit < 0) {
        dropOlderCells(ready->body);
        m_incarnation = ready->body.stringOr("incarnation", "");
        m_wasFound = ready->body.boolOr("resumed", false);
        m_copiesAfterCalls = ready->body.boolOr("copies_after", false);
        m_runsBeside = ready->body.boolOr("forks", false);
    }
    m_outputLimit = limits.outputBytes;
    m_stateLimit = limits.stateBytes;
    m_link.setFrameLimit(static_cast<std::size_t>(frameLimit));
    return {};
}

// Code that an earlier program left running in a found sandbox would hold up our cells. Other requests of
// that program, also queued ones, may still be answered: our ids begin well beyond all that the runner told
// of, at a different offset each time.
void LiveSandbox::dropOlderCells(const Value& ready)
{
    const std::int64_t running = ready.intOr("running", 0);
    std::int64_t newest = running;
    if (ready["finished"].isList())
        for (const Value& finished : ready["finished"].asList())
            newest = std::max(newest, finished.intOr("id", 0));
    if (ready.boolOr("resumed", false) || newest > 0) {
        std::uint16_t places = 0;
        fillRandomBytes(&places, sizeof places);
        m_link.skipIds(std::clamp<std::int64_t>(newest, 0, kMostOldId)
                       + (places % kPlaces + 1) * kIdsOfAProgram);
    }
    if (running > 0)
        static_cast<void>(
            m_link.send({ { "op", "interrupt" }, { "id", running } })); // else the first cell reports it
}

std::optional<CellResult> LiveSandbox::run(ValueMap request, const CellLimits& limits, CellFrames& frames,
                                           const std::stop_token& stop,
                                           const std::function<void()>& whileWaiting)
{
    auto exchange = m_link.begin(std::move(request), RunnerLink::Takes::OutputToo);
    if (!exchange && exchange.error().code == Errc::LimitExceeded) {
        CellResult result;
        result.status = CellStatus::Error;
        result.error = CellError{ "StateTooLarge", exchange.error().message };
        return result;
    }
    if (!exchange) {
        m_link.close(exchange.error());
        return std::nullopt;
    }
    const Running running(m_running);
    Patience patience;
    SteadyTime lookAgain = steady_clock::now() + kLimitsLookAgain;
    if (limits.deadline.count() > 0)
        patience.endAfter(limits.deadline);
    const std::stop_callback interrupt(stop, [&] {
        patience.endAfter(Millis(0));
        static_cast<void>(m_link.send({ { "op", "interrupt" }, { "id", exchange->id() } }));
    });
    while (true) {
        auto frame = exchange->next(std::min(steady_clock::now() + kLimitsLookAgain, patience.end()));
        if (!frame && frame.error().code == Errc::Timeout) {
            if (steady_clock::now() >= patience.end())
                m_link.close(
                    { Errc::Timeout, "its runner did not answer the deadline, so the sandbox was ended" });
        } else if (frame) {
            const auto last = frames.take(*frame);
            if (last && *last)
                return checkedForMemory(std::move(frames.result()), frames.wasKilled());
            if (!last)
                m_link.close(last.error());
            if (const ValueMap reply = frames.takeReply(); !reply.empty())
                if (auto sent = m_link.send(reply); !sent)
                    m_link.close(sent.error());
        }
        if (m_link.failure())
            return std::nullopt;
        if (whileWaiting && steady_clock::now() >= lookAgain) {
            whileWaiting();
            lookAgain = steady_clock::now() + kLimitsLookAgain;
        }
    }
}

void LiveSandbox::note(const sandbox::ResourceSample& sample)
{
    if (m_running == 0)
        m_oomKills = sample.oomKills;
}

// The interpreter cannot always see why it was killed; the sandbox's control group can.
CellResult LiveSandbox::checkedForMemory(CellResult result, bool wasKilled)
{
    if (result.status != CellStatus::Died || !result.error)
        return result;
    const auto sample = m_sandbox->sample();
    const std::int64_t before = sample ? m_oomKills.exchange(sample->oomKills) : 0;
    if (sample && sample->oomKills > before && wasKilled) {
        result.error->type = "MemoryError";
        result.error->message = outOfMemoryText(m_limits) + (result.restarted ? kNamesGone : "");
        result.error->traceback.clear(); // the runner's guess
    } else if (sample && sample->oomKillsKnown && result.error->type == "MemoryError") {
        result.error->type = "InterpreterDied";
        result.error->message =
            std::string("the interpreter was killed (signal 9), and not for its memory: by its own code, or "
                        "by another program")
            + (result.restarted ? kNamesGone : "");
        result.error->traceback.clear();
    }
    return result;
}

CellError LiveSandbox::causeOfDeath()
{
    sandbox::SandboxEnd end = m_sandbox->state();
    for (const auto deadline = steady_clock::now() + kDeathTime;
         end == sandbox::SandboxEnd::Running && steady_clock::now() < deadline; end = m_sandbox->state())
        std::this_thread::sleep_for(Millis(10));
    const auto failure = m_link.failure();
    // Secrets are removed here, as the text goes to session records, the audit log and the window.
    const std::string words = withoutSecrets(m_sandbox->lastWords()).substr(0, kMostLastWords);
    const std::string why = withoutSecrets(failure ? failure->message : "its stream ended")
        + (words.empty() ? "" : " (" + words + ")");
    switch (end) {
    case sandbox::SandboxEnd::OutOfMemory: return { "MemoryError", outOfMemoryText(m_limits) };
    case sandbox::SandboxEnd::Exited: return { "SessionEnded", "the sandbox ended by itself: " + why };
    case sandbox::SandboxEnd::Stopped: return { "SessionEnded", "the session was ended" };
    case sandbox::SandboxEnd::Lost: return { "SessionEnded", "the sandbox is gone: " + why };
    case sandbox::SandboxEnd::Running: break;
    }
    return { "SessionEnded", "the session was ended: " + why };
}

} // namespace sg::sessions
