#pragma once

#include "ui/timeline/timeline_geometry.h"

#include <QFont>
#include <QSizeF>

class QPainter;

namespace sg::ui {

// What is shown besides the checkpoints themselves.
struct TimelineScene {
    const TimelineModel& model;
    TimelineGeometry geometry;
    int current = TimelineModel::kNone; // mark under the cursor
    bool atHead = true; // the cursor follows the head
    bool focused = false;
    QPointF scroll; // of the content's corner
    QSizeF size; // of the whole view
    double nowMs = 0;
};

// Paints what is visible, whatever the number of checkpoints.
class TimelinePainter {
public:
    TimelinePainter(QPainter& painter, const TimelineScene& scene);
    void paint();
    static void paintEmpty(QPainter& painter, const QRectF& rect, const QString& sentence);

private:
    void paintLanes();
    void paintColumns();
    void paintRails();
    void paintFork(int lane);
    void paintRail(const QPointF& from, const QPointF& to, bool onPath);
    void paintSupersteps();
    void paintTask(const TaskBox& box, double spaceRight);
    void paintTaskText(const TaskBox& box, const QRectF& room, const QFont& font);
    void paintLive(const TimelineModel::Mark& mark);
    void paintMark(int index);
    void paintHeaders();
    void paintHeader(int lane, double top);
    void paintRuler();
    void paintCursor();

    QPainter& m_painter;
    const TimelineScene& m_scene;
    const TimelineModel& m_model;
    const TimelineGeometry& m_geometry;
    std::vector<int> m_path;
    TimelineGeometry::Range m_lanes;
    TimelineGeometry::Range m_columns;
    double m_unit; // 1 at the designed text size
    int m_viewedLane = TimelineModel::kNone;
};

} // namespace sg::ui
