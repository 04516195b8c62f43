#include "ui/world/live_look.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kSessionLookMs = 1000; // time between questions to a live session
constexpr int kSlowestLookMs = 15'000;
constexpr double kRestPerLook = 20; // multiple of the time that the last answer took

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

// Questions are limited, because a fast run makes checkpoints faster than a session lists its files.
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
    // If a question was suppressed meanwhile, the next comes soon, but asking takes at most half of the time.
    const double restMs = m_asksAgain
        ? std::min<double>(tookMs, kSlowestLookMs)
        : std::clamp<double>(tookMs * kRestPerLook, kSessionLookMs, kSlowestLookMs);
    m_asksAgain = false;
    m_next.start(static_cast<int>(restMs));
}

} // namespace sg::ui
