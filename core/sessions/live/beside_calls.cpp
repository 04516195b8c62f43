#include "core/sessions/live/beside_calls.h"

#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace sg::sessions {
namespace {

constexpr Millis kJoinTime{ 60'000 };
constexpr Millis kLookAgain{ 100 };
constexpr double kFullAt = 0.8; // of the session's memory: no further call begins
constexpr std::size_t kFewest = 8;
constexpr std::size_t kMost = 64;
constexpr double kPerProcessor = 8;
constexpr std::int64_t kProcessesEach = 8;

bool isNearlyFull(const std::optional<sandbox::ResourceSample>& sample)
{
    return sample && sample->memoryLimit > 0
        && static_cast<double>(sample->memoryBytes) > kFullAt * static_cast<double>(sample->memoryLimit);
}

CellError errorOf(const Value& body)
{
    const Value& error = body["error"];
    const std::string type = error.stringOr("type", "Error");
    return { type == "Conflict" ? kConflict : type, error.stringOr("message", "?") };
}

// The answer of a runner that does not give one is an error, too.
Result<Frame> answerTo(LiveSandbox& live, ValueMap request)
{
    auto exchange = live.link().begin(std::move(request));
    if (!exchange)
        return exchange.error();
    auto answer = exchange->next(std::chrono::steady_clock::now() + kJoinTime);
    if (!answer && answer.error().code == Errc::Timeout)
        live.link().close({ Errc::Timeout, "its runner did not answer in time, so the sandbox was ended" });
    return answer;
}

} // namespace

std::size_t placesBeside(const sandbox::Limits& limits)
{
    const double byProcessors = limits.cpus > 0 ? std::ceil(limits.cpus * kPerProcessor) : kMost;
    const auto byProcesses = limits.pids > 0
        ? static_cast<std::size_t>(std::max<std::int64_t>(limits.pids / kProcessesEach, 1))
        : kMost;
    return std::min(std::clamp(static_cast<std::size_t>(byProcessors), kFewest, kMost), byProcesses);
}

BesideCalls::Place BesideCalls::place(const sandbox::Limits& limits,
                                      const std::function<std::optional<sandbox::ResourceSample>()>& memory,
                                      const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (true) {
        if (!m_changed.wait(lock, stop, [&] { return m_running < placesBeside(limits); }))
            return Place(nullptr);
        if (m_running == 0)
            break;
        lock.unlock();
        const bool isFull = isNearlyFull(memory());
        lock.lock();
        if (!isFull && m_running < placesBeside(limits))
            break;
        if (isFull)
            m_changed.wait_for(lock, stop, kLookAgain, [&] { return m_running == 0; });
        if (stop.stop_requested())
            return Place(nullptr);
    }
    ++m_running;
    return Place(this);
}

std::size_t BesideCalls::running() const
{
    const std::lock_guard lock(m_mutex);
    return m_running;
}

void BesideCalls::leave()
{
    const std::lock_guard lock(m_mutex);
    --m_running;
    m_changed.notify_all();
}

bool BesideCalls::branch(LiveSandbox& live, CellWork& work, std::string& why)
{
    if (!live.runsBeside() || work.world == nullptr || !m_repair.rewind().isOn()) {
        why = "its sandbox keeps no copies of the interpreter";
        return false;
    }
    const auto base = work.world->base(work.caller);
    if (!base) {
        why = "there is no snapshot of where the superstep began";
        return false;
    }
    std::string sleeper = m_repair.rewind().sleeperFor(*base, why);
    if (sleeper.empty())
        return false;
    ValueList without;
    for (const std::string& path : m_repair.rewind().madeSince(*base))
        without.emplace_back(Bytes{ path });
    work.request.set("fork",
                     Value::map({ { "snapshot", std::move(sleeper) },
                                  { "group", work.beside->group },
                                  { "who", work.beside->who },
                                  { "seed", work.beside->seed },
                                  { "keep", work.beside->keepsNames },
                                  { "without", Value(std::move(without)) } }));
    return true;
}

std::optional<CellError> BesideCalls::join(LiveSandbox& live, const CellWork& work, std::int64_t call,
                                           bool keptNames, bool& changed)
{
    if (keptNames) {
        m_repair.rewind().changes(false);
        changed = true;
        const auto text = [&](const char* key) { return *work.request.find(std::string_view(key)); };
        const auto adopted = answerTo(
            live,
            { { "op", "adopt" }, { "of", call }, { "file", text("file") }, { "source", text("source") } });
        if (!adopted)
            return CellError{ "SessionEnded", adopted.error().message };
        if (adopted->event != "adopted") {
            giveUp(live, call);
            return errorOf(adopted->body);
        }
    }
    const auto joined = answerTo(live, { { "op", "join" }, { "of", call } });
    if (!joined)
        return CellError{ "SessionEnded", joined.error().message };
    if (joined->event != "joined")
        return errorOf(joined->body);
    if (joined->body.intOr("changed", 0) > 0 || joined->body.boolOr("artifacts", false)) {
        m_repair.rewind().changes(false);
        changed = true;
    }
    return std::nullopt;
}

void BesideCalls::giveUp(LiveSandbox& live, std::int64_t call)
{
    static_cast<void>(live.link().begin({ { "op", "give_up" }, { "of", call } }));
}

} // namespace sg::sessions
