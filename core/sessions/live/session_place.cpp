#include "core/sessions/live/session_place.h"

#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kStays{ 30 };

} // namespace

void SessionPlace::hold(HostBudget::Place place, PlaceSource again)
{
    const auto held = m_held.lock();
    held->place = std::move(place);
    held->again = std::move(again);
}

Result<void> SessionPlace::take(SessionInfo waiting, const SessionAsker& asker)
{
    const PlaceSource again = isHeld() ? PlaceSource() : m_held.lock()->again;
    if (!again)
        return {};
    waiting.state = SessionState::Kind::Waiting;
    std::stop_source stop;
    const std::stop_callback asked(asker.stop, [&] { stop.request_stop(); });
    const std::stop_callback ended(m_over.get_token(), [&] { stop.request_stop(); });
    auto place = again(waiting, { asker.isRun, stop.get_token(), asker.say, asker.takesOnlyRoom });
    if (!place)
        return std::move(place.error());
    m_held.lock()->place = std::move(*place);
    return {};
}

void SessionPlace::stay()
{
    m_held.lock()->staysUntil = steady_clock::now() + kStays;
}

bool SessionPlace::stays() const
{
    return steady_clock::now() < m_held.lock()->staysUntil;
}

} // namespace sg::sessions
