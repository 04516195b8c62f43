#pragma once

#include "ui/timeline/timeline_painter.h"

namespace sg::ui {

// One task as a bar.
class TaskBarPainter : private TimelinePartPainter {
public:
    explicit TaskBarPainter(const TimelinePaint& paint)
        : TimelinePartPainter(paint)
    {
    }
    void paint(const TaskBox& box, double spaceRight); // free, for its name

private:
    void paintBeside(const TaskBox& box, bool withWaiting);
    void paintFailedAttempts(const TaskBox& box);
    double paintAttemptsInside(const TaskBox& box, double left);
    [[nodiscard]] bool hasRoomBefore(const TaskBox& box) const;
    void paintText(const TaskBox& box, const QRectF& room, const QFont& font);
};

} // namespace sg::ui
