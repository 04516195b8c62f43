#include "core/sessions/manager/session_room.h"

#include "core/sessions/manager/warm_pool.h"

#include <algorithm>
#include <stop_token>
#include <utility>

namespace sg::sessions {

SessionRoom::SessionRoom(const HostBudgetLimits& limits, World world)
    : m_world(std::move(world))
    , m_budget(limits, this)
{
}

Result<HostBudget::Place> SessionRoom::placeNow(const ThreadId& thread, std::int64_t memoryBytes)
{
    auto place = m_budget.tryEnter(thread, memoryBytes);
    return place ? Result<HostBudget::Place>(std::move(*place))
                 : Error{ Errc::LimitExceeded, "there is no room for it on this machine now" };
}

void SessionRoom::makeRoomForOthers()
{
    if (m_budget.isAnotherWaiting())
        static_cast<void>(makeRoom({}));
}

Result<HostBudget::Place> SessionRoom::placeFor(const SessionInfo& waiting, const SessionAsker& asker)
{
    if (asker.takesOnlyRoom)
        return placeNow(waiting.thread, waiting.limits.memoryBytes);
    std::stop_source stop;
    const std::stop_callback asked(asker.stop, [&] { stop.request_stop(); });
    const std::stop_callback closed(closing(), [&] { stop.request_stop(); });
    return m_budget.enter({ waiting.thread, waiting.limits.memoryBytes, asker.isRun }, stop.get_token(),
                          [&](const std::string& why) {
                              const std::string text =
                                  "the session of thread " + waiting.thread.value + " " + why;
                              if (asker.say)
                                  asker.say(text);
                              m_world.waits(waiting, text);
                          });
}

bool SessionRoom::isInRun(const ThreadId& thread) const
{
    return m_world.isInRun && m_world.isInRun(thread);
}

// Sessions of a run are left alone between its cells too, as it continues from what is in them.
bool SessionRoom::makeRoom(const ThreadId& forWhom)
{
    if (m_world.pool.giveUpOne())
        return true;
    struct Idle {
        WallTime since;
        std::shared_ptr<SandboxSession> session;
    };
    std::vector<Idle> idle;
    for (auto& session : m_world.living())
        if (const auto since = session->idleSince(); since && !isInRun(session->thread()))
            idle.push_back({ *since, std::move(session) });
    std::ranges::sort(idle, {}, &Idle::since);
    const std::string why = std::string(SessionState::kMadeRoom)
        + (forWhom.empty() ? std::string("another program") : "thread " + forWhom.value);
    return std::ranges::any_of(idle, [&](const Idle& each) { return each.session->makeRoom(why); });
}

} // namespace sg::sessions
