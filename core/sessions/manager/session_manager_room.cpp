#include "core/sessions/manager/session_manager_impl.h"

#include <algorithm>
#include <stop_token>
#include <utility>

// Places in the host's budget: which sessions make room for others, and who waits for it.
namespace sg::sessions {

Result<HostBudget::Place> SessionManager::Impl::placeFor(const SessionInfo& waiting,
                                                         const SessionAsker& asker)
{
    if (asker.takesOnlyRoom) {
        auto place = budget.tryEnter(waiting.thread, waiting.limits.memoryBytes);
        return place ? Result<HostBudget::Place>(std::move(*place))
                     : Error{ Errc::LimitExceeded, "there is no room for it on this machine now" };
    }
    std::stop_source stop;
    const std::stop_callback asked(asker.stop, [&] { stop.request_stop(); });
    const std::stop_callback closed(ending.get_token(), [&] { stop.request_stop(); });
    return budget.enter({ waiting.thread, waiting.limits.memoryBytes, asker.isRun }, stop.get_token(),
                        [&](const std::string& why) {
                            const std::string text =
                                "the session of thread " + waiting.thread.value + " " + why;
                            if (asker.say)
                                asker.say(text);
                            events.publish({ SessionEvent::Kind::Waiting, waiting, {}, text });
                        });
}

bool SessionManager::Impl::isInRun(const ThreadId& thread) const
{
    return options.isInRun && options.isInRun(thread);
}

// Sessions of a run are left alone between its cells too, as it continues from what is in them.
bool SessionManager::Impl::makeRoom(const ThreadId& forWhom)
{
    if (pool.giveUpOne())
        return true;
    struct Idle {
        WallTime since;
        std::shared_ptr<SandboxSession> session;
    };
    std::vector<Idle> idle;
    for (auto& session : living())
        if (const auto since = session->idleSince(); since && !isInRun(session->thread()))
            idle.push_back({ *since, std::move(session) });
    std::ranges::sort(idle, {}, &Idle::since);
    const std::string why = std::string(SessionState::kMadeRoom)
        + (forWhom.empty() ? std::string("another program") : "thread " + forWhom.value);
    return std::ranges::any_of(idle, [&](const Idle& each) { return each.session->makeRoom(why); });
}

} // namespace sg::sessions
