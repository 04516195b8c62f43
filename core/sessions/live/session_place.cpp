#include "core/sessions/live/session_place.h"

#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kStays{ 30 };

} // namespace

void SessionPlace::hold(HostBudget::Place place, PlaceSource again)
{
    const std::lock_guard lock(m_mutex);
    m_place = std::move(place);
    m_again = std::move(again);
}

bool SessionPlace::isHeld() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<bool>(m_place);
}

HostBudget::Place SessionPlace::give()
{
    const std::lock_guard lock(m_mutex);
    return std::move(m_place);
}

Result<void> SessionPlace::take(SessionInfo waiting, const SessionAsker& asker)
{
    PlaceSource again;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_place)
            again = m_again;
    }
    if (!again)
        return {};
    waiting.state = SessionState::Kind::Waiting;
    std::stop_source stop;
    const std::stop_callback asked(asker.stop, [&] { stop.request_stop(); });
    const std::stop_callback ended(m_over.get_token(), [&] { stop.request_stop(); });
    auto place = again(waiting, { asker.isRun, stop.get_token(), asker.say, asker.takesOnlyRoom });
    if (!place)
        return std::move(place.error());
    const std::lock_guard lock(m_mutex);
    m_place = std::move(*place);
    return {};
}

void SessionPlace::stay()
{
    const std::lock_guard lock(m_mutex);
    m_staysUntil = steady_clock::now() + kStays;
}

bool SessionPlace::stays() const
{
    const std::lock_guard lock(m_mutex);
    return steady_clock::now() < m_staysUntil;
}

} // namespace sg::sessions
