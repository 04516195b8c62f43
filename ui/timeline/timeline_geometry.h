#pragma once

#include "ui/timeline/timeline_model.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace sg::ui {

// Where things stand, in content coordinates: (0, 0) is the corner below the ruler and right of the lane
// headers, before scrolling. Pure arithmetic; lengths follow the application's font.
struct TimelineGeometry {
    double header = 208;
    double ruler = 28;
    double lane = 52;
    double step = 120;
    double first = 40; // from the edge to the first mark

    static TimelineGeometry scaled();

    [[nodiscard]] double columnX(int column) const { return first + column * step; }
    [[nodiscard]] double laneY(int index) const { return (index + 0.5) * lane; }
    [[nodiscard]] QPointF centre(const TimelineModel::Mark& mark) const;
    [[nodiscard]] QSizeF contentSize(const TimelineModel& model) const;

    struct Range {
        int from = 0;
        int to = -1; // inclusive; to < from: empty
    };
    [[nodiscard]] Range columnsBetween(double left, double right) const;
    [[nodiscard]] Range lanesBetween(double top, double bottom, int laneCount) const;
};

// The bars of one superstep: one a task, at most three rows; of more than three tasks two are shown and
// counted `more` for the rest. Within a superstep time is linear, so that parallel tasks compare.
struct TaskBox {
    QRectF rect;
    const TaskRow* task = nullptr; // null: the "+4" of those not shown
    int more = 0;
};
std::vector<TaskBox> taskBoxes(const std::vector<TaskRow>& tasks, const QPointF& mark,
                               const TimelineGeometry& geometry, double nowMs);

// What a point of the content hits.
struct TimelineHit {
    int mark = TimelineModel::kNone; // the checkpoint under it, or the nearest one of that lane
    int taskMark = TimelineModel::kNone; // superstep of the bar under it
    int task = TimelineModel::kNone; // index in tasksOf(taskMark)
    bool onMark = false; // within the dot itself
};
TimelineHit hitTest(const TimelineModel& model, const TimelineGeometry& geometry, const QPointF& point,
                    double nowMs);

} // namespace sg::ui
