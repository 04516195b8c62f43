#include "ui/timeline/time_scale.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sg::ui {

namespace {

constexpr double kShortestFoldMs = 2000;
constexpr double kNarrowestFold = 32; // a gap that takes less room stays as it is

} // namespace

std::vector<TimeScale::Busy> joined(std::vector<TimeScale::Busy> busy)
{
    using Busy = TimeScale::Busy;
    std::erase_if(busy, [](const Busy& span) { return std::isnan(span.fromMs) || std::isnan(span.toMs); });
    if (!std::ranges::is_sorted(busy, {}, &Busy::fromMs))
        std::ranges::sort(busy, {}, &Busy::fromMs);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < busy.size(); ++i) {
        Busy& last = busy[kept];
        last.toMs = std::max(last.fromMs, last.toMs);
        if (busy[i].fromMs - last.toMs > kShortestFoldMs)
            busy[++kept] = busy[i];
        else
            last.toMs = std::max(last.toMs, busy[i].toMs);
    }
    if (!busy.empty())
        busy.resize(kept + 1);
    return busy;
}

TimeScale::TimeScale(const std::vector<Busy>& spans, double pixelsPerMs, bool folds)
    : m_rate(pixelsPerMs)
{
    for (const Busy& span : joined(spans))
        append(span, folds);
}

void TimeScale::append(const Busy& busy, bool folds)
{
    const double until = std::max(busy.fromMs, busy.toMs);
    if (m_pieces.empty()) {
        m_pieces.push_back({ busy.fromMs, until, 0 });
        return;
    }
    Piece& last = m_pieces.back();
    const double gap = busy.fromMs - last.toMs;
    if (folds && gap > kShortestFoldMs && gap * m_rate > kNarrowestFold) {
        const double end = last.x + (last.toMs - last.fromMs) * m_rate;
        m_folds.push_back({ end, gap });
        m_pieces.push_back({ busy.fromMs, until, end + kFoldWidth });
        return;
    }
    last.toMs = std::max(last.toMs, until);
}

double TimeScale::x(double ms) const
{
    if (m_pieces.empty() || std::isnan(ms))
        return 0;
    const auto after = std::ranges::upper_bound(m_pieces, ms, {}, &Piece::fromMs);
    const Piece& piece = after == m_pieces.begin() ? m_pieces.front() : *std::prev(after);
    return piece.x + (std::clamp(ms, piece.fromMs, piece.toMs) - piece.fromMs) * m_rate;
}

double TimeScale::time(double x) const
{
    if (m_pieces.empty() || m_rate <= 0)
        return std::numeric_limits<double>::quiet_NaN();
    const auto after = std::ranges::upper_bound(m_pieces, x, {}, &Piece::x);
    const Piece& piece = after == m_pieces.begin() ? m_pieces.front() : *std::prev(after);
    return std::clamp(piece.fromMs + (x - piece.x) / m_rate, piece.fromMs, piece.toMs);
}

double TimeScale::width() const
{
    if (m_pieces.empty())
        return 0;
    const Piece& last = m_pieces.back();
    return last.x + (last.toMs - last.fromMs) * m_rate;
}

double roundInterval(double leastMs)
{
    constexpr double kSecond = 1000;
    constexpr double kMinute = 60 * kSecond;
    constexpr double kHour = 60 * kMinute;
    constexpr double kDay = 24 * kHour;
    constexpr double kRound[] = { 10,      20,          50,          100,          200,          500,
                                  kSecond, 2 * kSecond, 5 * kSecond, 10 * kSecond, 15 * kSecond, 30 * kSecond,
                                  kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
                                  kHour,   2 * kHour,   6 * kHour,   12 * kHour,   kDay };
    for (const double interval : kRound)
        if (interval >= leastMs)
            return interval;
    return std::ceil(leastMs / kDay) * kDay;
}

double nowMs()
{
    return static_cast<double>(QDateTime::currentMSecsSinceEpoch());
}

} // namespace sg::ui
