#pragma once

#include "ui/timeline/timeline_painter.h"

namespace sg::ui {

double plannedStep(const TimelineGeometry& geometry); // between two of its marks

// The branch that is previewed, dotted, below those that there are.
class PlannedBranchPainter : private TimelinePartPainter {
public:
    explicit PlannedBranchPainter(const TimelinePaint& paint)
        : TimelinePartPainter(paint)
    {
    }
    void paint();
    void paintHeader();

private:
    void paintStep(const QPointF& mark, const std::vector<PlannedBranch::Task>& tasks);
    void paintTask(const TaskBox& box, const QString& word);
};

} // namespace sg::ui
