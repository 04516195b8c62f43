#include "ui/timeline/timeline_geometry.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/selection/history_window.h"
#include "ui/widgets/fonts.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sg::ui {

namespace {

constexpr double kMarkReach = 10;
constexpr double kBarClear = 12; // between a bar and the marks beside it
constexpr double kSnap = 4; // from a mark
constexpr double kTailMs = 3000; // of a step behind the last mark, as long as nothing has begun there

// Returns the time from the first start to the last end of the tasks that begin at a mark; one that runs ends
// now. Nothing if times are missing.
std::pair<double, double> workOf(const HistoryModel& model, int mark)
{
    double from = std::numeric_limits<double>::max();
    double to = std::numeric_limits<double>::lowest();
    model.eachTask(mark, [&](const HistoryModel::TaskSpan& task) {
        if (std::isnan(task.startedMs))
            return;
        const bool runs = task.kind == StateKind::Running && std::isnan(task.seconds);
        from = std::min(from, task.startedMs);
        to = std::max(to,
                      runs ? static_cast<double>(QDateTime::currentMSecsSinceEpoch())
                           : task.startedMs + (std::isnan(task.seconds) ? 0 : task.seconds * 1000));
    });
    return { from, to };
}

} // namespace

TimelineGeometry TimelineGeometry::scaled()
{
    TimelineGeometry made;
    made.header = scaledLength(208);
    made.ruler = scaledLength(28);
    made.lane = scaledLength(52);
    made.step = scaledLength(120);
    made.first = scaledLength(40);
    return made;
}

double TimelineGeometry::x(const HistoryModel::Mark& mark) const
{
    return axis == TimelineAxis::Step ? columnX(mark.column) : first + scale.x(mark.timeMs);
}

QPointF TimelineGeometry::centre(const HistoryModel::Mark& mark) const
{
    return { x(mark), laneY(mark.lane) };
}

QSizeF TimelineGeometry::contentSize(const HistoryModel& model) const
{
    // Room behind the last mark for the tasks that start there and the word "live".
    const double last =
        axis == TimelineAxis::Step ? columnX(std::max(0, model.columnCount() - 1)) : first + scale.width();
    const double tail = axis == TimelineAxis::Step ? std::max(step, first) : scaledLength(120);
    return { last + tail + first, laneTop(static_cast<int>(model.lanes().size())) };
}

double TimelineGeometry::timeX(const HistoryModel& model, int laneIndex, double ms) const
{
    if (axis != TimelineAxis::Step)
        return first + scale.x(ms);
    const auto& marks = model.lane(laneIndex).marks;
    const auto after =
        std::ranges::upper_bound(marks, ms, {}, [&](int mark) { return model.mark(mark).timeMs; });
    if (after == marks.begin()) {
        const int parent = model.lane(laneIndex).forkedFrom; // the branch was not there yet
        if (parent == HistoryModel::kNone)
            return x(model.mark(marks.front()));
        return std::min(x(model.mark(parent)) + step, timeX(model, model.mark(parent).lane, ms));
    }
    const HistoryModel::Mark& before = model.mark(*std::prev(after));
    const double nextMs = after == marks.end() ? before.timeMs + kTailMs : model.mark(*after).timeMs;
    if (const auto [from, to] = workOf(model, *std::prev(after)); from < to && ms > before.timeMs) {
        // The tasks' bars tell the time of a step; what a thread rests before and behind them has no room.
        const double clear = kBarClear * unit();
        return x(before) + clear + (step - 2 * clear) * std::clamp((ms - from) / (to - from), 0.0, 1.0);
    }
    return x(before)
        + step * std::clamp((ms - before.timeMs) / std::max(1.0, nextMs - before.timeMs), 0.0, 1.0);
}

double TimelineGeometry::timeAt(const HistoryModel& model, int laneIndex, double at) const
{
    if (axis == TimelineAxis::Step)
        return timeAtStep(model, laneIndex, at);
    const double ms = scale.time(at - first);
    const HistoryModel::Mark& before = model.mark(markOnWay(model, laneIndex, ms));
    const int next = model.markAt(before.lane, before.column + 1);
    if (next != HistoryModel::kNone && x(model.mark(next)) - at < kSnap * unit())
        return model.mark(next).timeMs;
    return std::abs(at - x(before)) < kSnap * unit() ? before.timeMs : ms;
}

double TimelineGeometry::timeAtStep(const HistoryModel& model, int laneIndex, double at) const
{
    int column = std::max(0, static_cast<int>(std::floor((at - first) / step)));
    while (column < model.lane(laneIndex).firstColumn
           && model.lane(laneIndex).forkedFrom != HistoryModel::kNone)
        laneIndex = model.mark(model.lane(laneIndex).forkedFrom).lane;
    const HistoryModel::Lane& found = model.lane(laneIndex);
    column = std::min(column, found.firstColumn + static_cast<int>(found.marks.size()) - 1);
    const int index = model.markAt(laneIndex, column);
    const int next = model.markAt(laneIndex, column + 1);
    const HistoryModel::Mark& before = model.mark(index);
    const double along = at - x(before);
    const double clear = std::min(kBarClear * unit(), step / 4);
    if (along <= clear)
        return before.timeMs;
    if (along >= step - clear && next != HistoryModel::kNone)
        return model.mark(next).timeMs;
    const double part = std::clamp((along - clear) / (step - 2 * clear), 0.0, 1.0);
    if (const auto [from, to] = workOf(model, index); from < to)
        return from + part * (to - from);
    const double until = next == HistoryModel::kNone ? before.timeMs + kTailMs : model.mark(next).timeMs;
    return before.timeMs + along / step * (until - before.timeMs);
}

TimelineGeometry::Range TimelineGeometry::columnsBetween(double left, double right) const
{
    // One more on each side: bars and rails reach into their neighbours.
    return { static_cast<int>(std::floor((left - first) / step)) - 1,
             static_cast<int>(std::ceil((right - first) / step)) + 1 };
}

TimelineGeometry::Range TimelineGeometry::lanesBetween(double top, double bottom, int laneCount) const
{
    if (tops.empty())
        return { std::max(0, static_cast<int>(std::floor(top / lane))),
                 std::min(laneCount - 1, static_cast<int>(std::floor(bottom / lane))) };
    const auto at = [this](double y) {
        return static_cast<int>(std::ranges::upper_bound(tops, y) - tops.begin()) - 1;
    };
    return { std::max(0, at(top)), std::min(laneCount - 1, at(bottom)) };
}

int TimelineGeometry::laneAt(double y, int laneCount) const
{
    if (y < 0 || laneCount == 0 || y >= laneTop(laneCount))
        return -1;
    return lanesBetween(y, y, laneCount).from;
}

TimelineGeometry::Range TimelineGeometry::marksBetween(const HistoryModel& model, int laneIndex, double left,
                                                       double right) const
{
    const HistoryModel::Lane& found = model.lane(laneIndex);
    const int last = static_cast<int>(found.marks.size()) - 1;
    if (axis == TimelineAxis::Step) {
        const Range columns = columnsBetween(left, right);
        return { std::max(0, columns.from - found.firstColumn),
                 std::min(last, columns.to - found.firstColumn) };
    }
    return { std::max(0, markBehind(model, laneIndex, 0, left) - 1),
             std::min(last, markBehind(model, laneIndex, 0, right)) };
}

int TimelineGeometry::markBehind(const HistoryModel& model, int laneIndex, int index, double atLeast) const
{
    const HistoryModel::Lane& found = model.lane(laneIndex);
    const int count = static_cast<int>(found.marks.size());
    if (axis == TimelineAxis::Step) {
        const double column = std::ceil((atLeast - first) / step - 1e-9);
        return static_cast<int>(std::clamp(column - found.firstColumn, double(index), double(count)));
    }
    const auto from = found.marks.begin() + std::min(index, count);
    return static_cast<int>(
        std::partition_point(from, found.marks.end(), [&](int mark) { return x(model.mark(mark)) < atLeast; })
        - found.marks.begin());
}

TimelineHit hitTest(const HistoryModel& model, const TimelineGeometry& geometry, const QPointF& point,
                    double nowMs)
{
    TimelineHit hit;
    const int lane = geometry.laneAt(point.y(), static_cast<int>(model.lanes().size()));
    if (lane < 0)
        return hit;
    hit.lane = lane;
    const HistoryModel::Lane& found = model.lane(lane);
    const int count = static_cast<int>(found.marks.size());
    const int behind = geometry.markBehind(model, lane, 0, point.x());
    const auto at = [&](int index) { return found.marks[static_cast<std::size_t>(index)]; };
    if (behind > 0) {
        const int mark = at(std::min(behind, count) - 1);
        const auto tasks = model.tasksOf(mark, kMostShownTasks);
        for (const TaskBox& box :
             taskBoxes(tasks, geometry.centre(model.mark(mark)), geometry, nowMs, model.mark(mark).timeMs))
            if (box.task && box.rect.contains(point)) {
                hit.taskMark = mark;
                hit.task = static_cast<int>(box.task - tasks.data());
            }
    }
    const auto away = [&](int index) { return std::abs(geometry.x(model.mark(at(index))) - point.x()); };
    int nearest = std::clamp(behind, 0, count - 1);
    if (nearest > 0 && away(nearest - 1) < away(nearest))
        --nearest;
    hit.mark = at(nearest);
    const QPointF distance = point - geometry.centre(model.mark(hit.mark));
    hit.onMark = std::hypot(distance.x(), distance.y()) <= kMarkReach * geometry.unit();
    return hit;
}

std::vector<TimeScale::Busy> busySpans(const HistoryModel& model, double nowMs, int firstMark)
{
    std::vector<TimeScale::Busy> spans;
    const auto from = static_cast<std::size_t>(firstMark);
    spans.reserve((model.marks().size() - std::min(from, model.marks().size())) * 2);
    for (std::size_t i = from; i < model.marks().size(); ++i) {
        const double made = model.marks()[i].timeMs;
        spans.push_back({ made, made });
        model.eachTask(static_cast<int>(i), [&](const HistoryModel::TaskSpan& task) {
            const double to = task.kind == StateKind::Running && std::isnan(task.seconds)
                ? std::max(nowMs, task.startedMs)
                : task.startedMs + task.seconds * 1000;
            spans.push_back({ task.startedMs, to });
        });
    }
    return spans;
}

} // namespace sg::ui
