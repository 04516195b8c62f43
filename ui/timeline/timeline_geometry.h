#pragma once

#include "ui/selection/history_model.h"
#include "ui/timeline/time_scale.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace sg::ui {

// The measure of the timeline's axis. Step: every superstep takes the same room. Clock: time. Folded: time
// without the gaps in which nothing ran.
enum class TimelineAxis { Step, Clock, Folded };

// Places on the timeline, in content coordinates: (0, 0) is the corner below the ruler and right of the lane
// headers, before scrolling. Pure arithmetic; lengths follow the application's font.
struct TimelineGeometry {
    double header = 208;
    double ruler = 28;
    double lane = 52;
    double step = 120; // of a superstep at the zoom in use
    double first = 40; // from the edge to the first mark
    TimelineAxis axis = TimelineAxis::Step;
    TimeScale scale; // of the other axes

    static TimelineGeometry scaled();
    // The top of each lane and the end of the last, if lanes have rows of subgraphs below them. Empty: all
    // are `lane` high.
    std::vector<double> tops;

    [[nodiscard]] double unit() const { return lane / 52; } // 1 at the designed text size
    [[nodiscard]] double nestedRow() const { return 30 * unit(); }

    [[nodiscard]] double columnX(int column) const { return first + column * step; }
    [[nodiscard]] double laneTop(int index) const
    {
        return tops.empty() ? index * lane : tops[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] double laneY(int index) const { return laneTop(index) + 0.5 * lane; }
    [[nodiscard]] double laneHeight(int index) const { return laneTop(index + 1) - laneTop(index); }
    [[nodiscard]] int laneAt(double y, int laneCount) const; // -1: none
    [[nodiscard]] double x(const HistoryModel::Mark& mark) const;
    [[nodiscard]] QPointF centre(const HistoryModel::Mark& mark) const;
    [[nodiscard]] QSizeF contentSize(const HistoryModel& model) const;
    // Returns the x of a moment: on the Step axis between the marks of that lane.
    [[nodiscard]] double timeX(const HistoryModel& model, int lane, double ms) const;
    // Returns the moment at x, on the way to the end of that lane. At a mark and close by it is when the mark
    // was made.
    [[nodiscard]] double timeAt(const HistoryModel& model, int lane, double x) const;

    struct Range {
        int from = 0;
        int to = -1; // inclusive; to < from: empty
    };
    [[nodiscard]] Range columnsBetween(double left, double right) const;
    [[nodiscard]] Range lanesBetween(double top, double bottom, int laneCount) const;
    // Returns a lane's marks between two x, as indices into Lane::marks, and one more on each side, because
    // bars and rails reach out.
    [[nodiscard]] Range marksBetween(const HistoryModel& model, int lane, double left, double right) const;
    // Returns the index, at least `index`, of the lane's first mark at `atLeast` or behind it; their number
    // if there is none.
    [[nodiscard]] int markBehind(const HistoryModel& model, int lane, int index, double atLeast) const;

private:
    [[nodiscard]] double timeAtStep(const HistoryModel& model, int lane, double x) const;
};

// Marks that stand nearer than this are drawn as one with their count.
inline constexpr double kMarkRoom = 14;

// A label of the ruler.
struct TimelineTick {
    double x = 0;
    QString text;
};
std::vector<TimelineTick> ticksBetween(const HistoryModel& model, const TimelineGeometry& geometry,
                                       double left, double right);

// The bars of one superstep: one a task, at most three rows; of more than three tasks two are shown and
// counted `more` for the rest. On the Step axis time is linear within a superstep, so that parallel tasks
// compare; on the others bars stand where their time does.
inline constexpr std::size_t kMostShownTasks = 32; // of a superstep that are looked at for that
struct TaskBox {
    QRectF rect;
    const TaskRow* task = nullptr; // null: the "+4" of those not shown
    int more = 0;
    // The x where waiting, earlier attempts and the wait for others begin or end; not a number: there was no
    // such time.
    double queuedFrom = kUnknown; // it could have started
    double triedFrom = kUnknown; // an earlier attempt
    double waitedTo = kUnknown; // for the others of its superstep
};
std::vector<TaskBox> taskBoxes(const std::vector<TaskRow>& tasks, const QPointF& mark,
                               const TimelineGeometry& geometry, double nowMs,
                               double markMs = kUnknown); // when the superstep could begin

// The result of a hit test.
struct TimelineHit {
    int mark = HistoryModel::kNone; // the checkpoint under it, or the nearest one of that lane
    int taskMark = HistoryModel::kNone; // superstep of the bar under it
    int task = HistoryModel::kNone; // index in tasksOf(taskMark)
    int lane = HistoryModel::kNone;
    bool onMark = false; // within the dot itself
};
TimelineHit hitTest(const HistoryModel& model, const TimelineGeometry& geometry, const QPointF& point,
                    double nowMs);

// Returns the spans in which something ran or was stored, from `firstMark` on: checkpoints and tasks.
std::vector<TimeScale::Busy> busySpans(const HistoryModel& model, double nowMs, int firstMark = 0);

} // namespace sg::ui
