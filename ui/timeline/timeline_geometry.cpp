#include "ui/timeline/timeline_geometry.h"

#include "ui/timeline/timeline_words.h"
#include "ui/widgets/fonts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::ui {

namespace {

constexpr double kClear = 12; // between a bar and the marks beside it
constexpr double kStackClear = 14;
constexpr double kNarrowest = 24; // room for the edge and a glyph
constexpr double kMarkReach = 10;
constexpr std::size_t kMostRows = 3;

struct Span {
    double from = 0;
    double to = 1;
};

// Start and end of each task as parts of the whole superstep; everything full where times are missing.
std::vector<Span> spansOf(const std::vector<TaskRow>& tasks, double nowMs)
{
    std::vector<Span> spans(tasks.size());
    double begin = std::numeric_limits<double>::max();
    double end = std::numeric_limits<double>::lowest();
    for (const TaskRow& task : tasks) {
        const double seconds = taskSeconds(task, nowMs);
        if (std::isnan(task.startedMs) || std::isnan(seconds))
            return spans;
        begin = std::min(begin, task.startedMs);
        end = std::max(end, task.startedMs + seconds * 1000);
    }
    if (!(end > begin))
        return spans;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const double from = (tasks[i].startedMs - begin) / (end - begin);
        spans[i] = { from, from + taskSeconds(tasks[i], nowMs) * 1000 / (end - begin) };
    }
    return spans;
}

struct Rows {
    double height = 20;
    double pitch = 0; // from one top to the next
    double firstTop = -10; // from the lane's middle
};

Rows rowsFor(std::size_t count)
{
    switch (std::min(count, kMostRows)) {
    case 0:
    case 1: return {};
    case 2: return { 18, 21, -20 };
    default: return { 14, 15, -22 };
    }
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

QPointF TimelineGeometry::centre(const TimelineModel::Mark& mark) const
{
    return { columnX(mark.column), laneY(mark.lane) };
}

QSizeF TimelineGeometry::contentSize(const TimelineModel& model) const
{
    // Room behind the last mark for the tasks that start there and the word "live".
    return { columnX(std::max(0, model.columnCount() - 1)) + step + first,
             static_cast<double>(model.lanes().size()) * lane };
}

TimelineGeometry::Range TimelineGeometry::columnsBetween(double left, double right) const
{
    // One more on each side: bars and rails reach into their neighbours.
    return { static_cast<int>(std::floor((left - first) / step)) - 1,
             static_cast<int>(std::ceil((right - first) / step)) + 1 };
}

TimelineGeometry::Range TimelineGeometry::lanesBetween(double top, double bottom, int laneCount) const
{
    return { std::max(0, static_cast<int>(std::floor(top / lane))),
             std::min(laneCount - 1, static_cast<int>(std::floor(bottom / lane))) };
}

std::vector<TaskBox> taskBoxes(const std::vector<TaskRow>& tasks, const QPointF& mark,
                               const TimelineGeometry& geometry, double nowMs)
{
    std::vector<TaskBox> boxes;
    if (tasks.empty())
        return boxes;
    const double unit = geometry.lane / 52;
    const Rows rows = rowsFor(tasks.size());
    const double clear = (tasks.size() == 1 ? kClear : kStackClear) * unit;
    const double room = geometry.step - kClear * unit - clear;
    const std::vector<Span> spans = spansOf(tasks, nowMs);
    const std::size_t shown = tasks.size() > kMostRows ? kMostRows - 1 : tasks.size();
    double top = std::round(mark.y() + rows.firstTop * unit);
    const double height = std::round(rows.height * unit);
    for (std::size_t i = 0; i < shown; ++i) {
        const double left = std::min(spans[i].from * room, room - kNarrowest * unit);
        const double width = tasks.size() == 1 ? room : (spans[i].to - spans[i].from) * room;
        const double begin = tasks.size() == 1 ? 0 : std::round(left);
        boxes.push_back({ QRectF(mark.x() + clear + begin, top,
                                 std::round(std::clamp(width, kNarrowest * unit, room - begin)), height),
                          &tasks[i], 0 });
        top += std::round(rows.pitch * unit);
    }
    if (shown < tasks.size())
        boxes.push_back(
            { QRectF(mark.x() + clear, top, room, height), nullptr, static_cast<int>(tasks.size() - shown) });
    return boxes;
}

TimelineHit hitTest(const TimelineModel& model, const TimelineGeometry& geometry, const QPointF& point,
                    double nowMs)
{
    TimelineHit hit;
    const int lane = static_cast<int>(std::floor(point.y() / geometry.lane));
    if (lane < 0 || lane >= static_cast<int>(model.lanes().size()))
        return hit;
    const double column = (point.x() - geometry.first) / geometry.step;
    const int before = static_cast<int>(std::floor(column));
    if (const int mark = model.markAt(lane, before); mark != TimelineModel::kNone) {
        const auto& tasks = model.tasksOf(mark);
        for (const TaskBox& box : taskBoxes(tasks, geometry.centre(model.mark(mark)), geometry, nowMs))
            if (box.task && box.rect.contains(point)) {
                hit.taskMark = mark;
                hit.task = static_cast<int>(box.task - tasks.data());
            }
    }
    const TimelineModel::Lane& found = model.lane(lane);
    const int last = found.firstColumn + static_cast<int>(found.marks.size()) - 1;
    hit.mark = model.markAt(lane, std::clamp(static_cast<int>(std::lround(column)), found.firstColumn, last));
    if (hit.mark != TimelineModel::kNone) {
        const QPointF away = point - geometry.centre(model.mark(hit.mark));
        hit.onMark = std::hypot(away.x(), away.y()) <= kMarkReach * geometry.lane / 52;
    }
    return hit;
}

} // namespace sg::ui
