#pragma once

#include "ui/timeline/timeline_painter.h"

namespace sg::ui {

// A run inside of a task stands below the task's bar, in a row of its own.
struct NestedBox {
    QString ns;
    QRectF rect;
    double fromMs = 0; // of the superstep that its task belongs to
    double toMs = 0;
};
inline constexpr int kMostUnfolded = 400; // supersteps of a lane that are looked into
std::vector<NestedBox> nestedBoxes(const HistoryModel& model, const NestedRuns& nested,
                                   const TimelineGeometry& geometry, int mark, double nowMs);
struct InnerBox {
    QRectF rect;
    const TaskRow* task = nullptr; // those of one superstep stand below one another
};
// Returns the run that stands in the box, or its part of a shared namespace; null: it is not loaded yet.
const NestedRuns::Run* runIn(const NestedRuns& nested, const NestedBox& box);
std::vector<InnerBox> innerBoxes(const NestedRuns::Run& run, const NestedBox& box,
                                 const TimelineGeometry& geometry);
QRectF foldMarkRect(const TimelineGeometry& geometry, int lane); // in content's height, header's width

// Paints the runs inside of a lane's tasks, in rows below it.
class NestedRunPainter : private TimelinePartPainter {
public:
    explicit NestedRunPainter(const TimelinePaint& paint)
        : TimelinePartPainter(paint)
    {
    }
    void paint(int lane);
    void paintFoldMark(int lane, double top); // in the lane's header

private:
    void paintRun(const NestedBox& box);
    void paintInner(const InnerBox& inner);
};

} // namespace sg::ui
