#include "ui/world/live_look.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kSessionLookMs = 1000; // at a live session
constexpr int kSlowestLookMs = 15'000;
constexpr double kRestPerLook = 20; // times as long as a look took

} // namespace

LiveLook::LiveLook(QObject* parent)
    : QObject(parent)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, [this] {
        if (m_isWanted)
            Q_EMIT due();
    });
}

void LiveLook::setWanted(bool wanted)
{
    m_isWanted = wanted;
    forget();
    if (wanted)
        soon();
}

void LiveLook::soon()
{
    if (m_isWanted)
        m_next.start(0);
}

// A quick run makes checkpoints faster than a session tells its files.
bool LiveLook::mayAsk()
{
    m_asksAgain = m_isAsking;
    return !std::exchange(m_isAsking, true);
}

void LiveLook::answered(double seconds)
{
    m_isAsking = false;
    if (!m_isWanted)
        return;
    const double tookMs = seconds * 1000;
    // Where something asked meanwhile: soon, and still not more than half of the time.
    const double restMs = m_asksAgain
        ? std::min<double>(tookMs, kSlowestLookMs)
        : std::clamp<double>(tookMs * kRestPerLook, kSessionLookMs, kSlowestLookMs);
    m_asksAgain = false;
    m_next.start(static_cast<int>(restMs));
}

} // namespace sg::ui
