#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

// The bars of a superstep's tasks.
namespace sg::ui {

namespace {

constexpr double kClear = 12; // between a bar and the marks beside it
constexpr double kStackClear = 14;
constexpr double kDotClear = 8; // where length is time
constexpr double kNarrowest = 24; // room for the edge and a glyph
constexpr double kShortestBar = 3; // where length is time
constexpr double kNarrowestStep = 44; // with less room a superstep shows no bars
constexpr std::size_t kMostRows = 3;

constexpr double kLeastQueue = 0.04; // of a superstep: less is the work of starting
constexpr double kLeastQueueMs = 20; // the same
constexpr double kMostQueue = 4; // times as long as the superstep ran: then a person was waited for

struct Span {
    double from = 0;
    double to = 1;
    double tried = 0; // where the first attempt began
    double queued = 0; // where it could have begun
    bool isTimed = false;
};

double firstStart(const TaskRow& task)
{
    return task.triedMs <= task.startedMs && !task.wasAsked ? task.triedMs
                                                            : taskStart(task); // also: no number
}

// Start and end of each task as parts of the whole superstep; everything full where times are missing.
std::vector<Span> spansOf(const std::vector<TaskRow>& tasks, double nowMs, double markMs)
{
    std::vector<Span> spans(tasks.size());
    double begin = std::numeric_limits<double>::max();
    double end = std::numeric_limits<double>::lowest();
    for (const TaskRow& task : tasks) {
        const double seconds = taskSeconds(task, nowMs);
        if (std::isnan(task.startedMs) || std::isnan(seconds))
            return spans;
        begin = std::min(begin, firstStart(task));
        end = std::max(end, taskStart(task) + seconds * 1000);
    }
    if (!(end > begin))
        return spans;
    const double queue = begin - markMs;
    if (queue > kLeastQueueMs && queue > kLeastQueue * (end - markMs)
        && queue < kMostQueue * (end - begin)) // else or no number: none
        begin = markMs;
    const auto part = [&](double ms) { return (ms - begin) / (end - begin); };
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const double from = part(taskStart(tasks[i]));
        spans[i] = { from, from + taskSeconds(tasks[i], nowMs) * 1000 / (end - begin),
                     part(firstStart(tasks[i])), 0, true };
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

// Left edge and width on the Step axis.
std::pair<double, double> placeInStep(const Span& span, std::size_t count, double room, double unit)
{
    if (count == 1 && span.from <= 0)
        return { 0, room };
    const double narrowest = std::min(room, kNarrowest * unit);
    const double begin = std::round(std::min(span.from * room, room - narrowest));
    return { begin, std::round(std::clamp((span.to - span.from) * room, narrowest, room - begin)) };
}

std::pair<double, double> placeInTime(const TaskRow& task, const TimelineGeometry& geometry, double nowMs)
{
    const double from = geometry.first + geometry.scale.x(taskStart(task));
    const double seconds = taskSeconds(task, nowMs);
    const double to =
        std::isnan(seconds) ? from : geometry.first + geometry.scale.x(taskStart(task) + seconds * 1000);
    return { from, std::max(kShortestBar, to - from) };
}

// Places the first attempt, the time before it and the time after the end beside the bar. `left` and `room`
// are those of the whole superstep.
void addBeside(TaskBox& box, const Span& span, double left, double room)
{
    constexpr double kSeen = 3; // shorter is not drawn
    if (!span.isTimed)
        return;
    const double bar = box.rect.left();
    const double tried = std::min(bar, left + span.tried * room);
    if (bar - tried >= kSeen && !box.task->wasAsked)
        box.triedFrom = tried;
    if (std::min(bar, tried) - left >= kSeen)
        box.queuedFrom = left;
    if (left + room - box.rect.right() >= kSeen)
        box.waitedTo = left + room;
}

} // namespace

std::vector<TaskBox> taskBoxes(const std::vector<TaskRow>& tasks, const QPointF& mark,
                               const TimelineGeometry& geometry, double nowMs, double markMs)
{
    std::vector<TaskBox> boxes;
    const double unit = geometry.unit();
    const bool inSteps = geometry.axis == TimelineAxis::Step;
    if (tasks.empty() || (inSteps && geometry.step < kNarrowestStep * unit))
        return boxes;
    const Rows rows = rowsFor(tasks.size());
    const double clear = (tasks.size() == 1 ? kClear : kStackClear) * unit;
    const double room = geometry.step - kClear * unit - clear;
    const std::vector<Span> spans = spansOf(tasks, nowMs, markMs);
    const std::size_t shown = tasks.size() > kMostRows ? kMostRows - 1 : tasks.size();
    double top = std::round(mark.y() + rows.firstTop * unit);
    const double height = std::round(rows.height * unit);
    for (std::size_t i = 0; i < shown; ++i) {
        const bool hasTime = !inSteps && !std::isnan(tasks[i].startedMs);
        auto [left, width] = hasTime ? placeInTime(tasks[i], geometry, nowMs)
                                     : placeInStep(spans[i], tasks.size(), room, unit);
        if (!hasTime) {
            left += mark.x() + clear;
        } else if (const double dot = mark.x() + kDotClear * unit; left < dot) { // begins behind its mark
            width = std::max(kShortestBar, left + width - dot);
            left = dot;
        }
        TaskBox box{ QRectF(left, top, width, height), &tasks[i], 0 };
        if (inSteps)
            addBeside(box, spans[i], mark.x() + clear, room);
        else if (hasTime && tasks[i].triedMs < tasks[i].startedMs && !tasks[i].wasAsked)
            box.triedFrom = geometry.first + geometry.scale.x(tasks[i].triedMs);
        boxes.push_back(box);
        top += std::round(rows.pitch * unit);
    }
    if (shown < tasks.size())
        boxes.push_back({ QRectF(inSteps ? mark.x() + clear : boxes.front().rect.left(), top,
                                 std::max(room, kNarrowest * unit), height),
                          nullptr, static_cast<int>(tasks.size() - shown) });
    return boxes;
}

} // namespace sg::ui
