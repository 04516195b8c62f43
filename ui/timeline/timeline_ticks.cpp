#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

// The labels of the ruler.
namespace sg::ui {

namespace {

constexpr double kStepRoom = 44; // between the labels of steps
constexpr double kTimeRoom = 84;
constexpr double kMinuteMs = 60'000;
constexpr double kSecondMs = 1000;

int roundStride(double least)
{
    int stride = 1;
    for (int factor = 0; stride < least; ++factor)
        stride = factor % 3 == 1 ? stride / 2 * 5 : stride * 2; // 1, 2, 5, 10, 20, 50 …
    return stride;
}

void addSteps(const HistoryModel& model, const TimelineGeometry& geometry, double left, double right,
              std::vector<TimelineTick>& ticks)
{
    const int stride = roundStride(kStepRoom * geometry.unit() / geometry.step);
    const TimelineGeometry::Range columns = geometry.columnsBetween(left, right);
    const int from = std::max(0, columns.from) / stride * stride;
    for (int column = from; column <= std::min(columns.to, model.columnCount() - 1); column += stride)
        ticks.push_back({ geometry.columnX(column), stepText(model.columnStep(column)) });
}

// "14:28:40" where the minute begins to be told, then ":45"; "14:28" where minutes are enough.
QString timeText(double ms, double interval, bool whole)
{
    const QString clock = interval < kSecondMs ? formatClockMs(ms) : formatClock(ms);
    if (interval >= kMinuteMs)
        return clock.left(5);
    return whole ? clock : clock.mid(5);
}

void addTimes(const TimelineGeometry& geometry, double left, double right, std::vector<TimelineTick>& ticks)
{
    const TimeScale& scale = geometry.scale;
    const double room = kTimeRoom * geometry.unit();
    const double interval = roundInterval(room / std::max(1e-9, scale.pixelsPerMs()));
    double free = left - room;
    double toldMinute = -1;
    for (const TimeScale::Piece& piece : scale.pieces()) {
        const double end = geometry.first + piece.x + (piece.toMs - piece.fromMs) * scale.pixelsPerMs();
        if (end < left || geometry.first + piece.x > right)
            continue;
        const double firstMs = std::max(
            piece.fromMs, piece.fromMs + (left - geometry.first - piece.x) / scale.pixelsPerMs() - interval);
        for (double ms = std::ceil(firstMs / interval) * interval; ms <= piece.toMs; ms += interval) {
            const double x = geometry.first + scale.x(ms);
            if (x > right)
                break;
            if (x < free)
                continue;
            const double minute = std::floor(ms / kMinuteMs);
            ticks.push_back({ x, timeText(ms, interval, minute != toldMinute) });
            toldMinute = minute;
            free = x + room * 0.8;
        }
    }
}

} // namespace

std::vector<TimelineTick> ticksBetween(const HistoryModel& model, const TimelineGeometry& geometry,
                                       double left, double right)
{
    std::vector<TimelineTick> ticks;
    if (geometry.axis == TimelineAxis::Step)
        addSteps(model, geometry, left, right, ticks);
    else if (!geometry.scale.isEmpty())
        addTimes(geometry, left, right, ticks);
    return ticks;
}

} // namespace sg::ui
