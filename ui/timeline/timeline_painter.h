#pragma once

#include "ui/timeline/nested_runs.h"
#include "ui/timeline/planned_branch.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/timeline/watch_tracks.h"
#include "ui/widgets/palette.h"

#include <QFont>
#include <QPen>
#include <QSizeF>

class QPainter;

namespace sg::ui {

// The shown things besides the checkpoints themselves.
struct TimelineScene {
    const HistoryModel& model;
    const TimelineGeometry& geometry;
    const TimelineTracks& tracks;
    const NestedRuns& nested;
    const WatchTracks& watches;
    const std::vector<int>& nestedRows; // by lane; empty: nothing ran inside of any task
    int current = HistoryModel::kNone; // mark under the cursor
    double momentMs = kUnknown; // the cursor stands behind it, in the tasks that began there
    bool atHead = true; // the cursor follows the head
    bool focused = false;
    QPointF scroll; // of the content's corner
    QSizeF size; // of the whole view
    double lanesBottom = 0; // where the strip begins
    double nowMs = 0;
    const PlannedBranch* planned = nullptr; // null: nothing is previewed
};

// Shared by the painters of lanes, tasks, nested runs and the previewed branch, in content coordinates.
struct TimelinePaint {
    QPainter& painter;
    const TimelineScene& scene;
    double left; // of what is seen
    double right;
    double unit; // 1 at the designed text size
    int viewedLane = HistoryModel::kNone;
    int planned = HistoryModel::kNone; // the mark that the previewed branch begins from

    [[nodiscard]] double lanesEnd() const; // with the previewed one
};

// Gives each of those painters short names for what they share.
class TimelinePartPainter {
protected:
    explicit TimelinePartPainter(const TimelinePaint& paint)
        : m_paint(paint)
        , m_painter(paint.painter)
        , m_scene(paint.scene)
        , m_model(paint.scene.model)
        , m_geometry(paint.scene.geometry)
        , m_unit(paint.unit)
    {
    }

    const TimelinePaint& m_paint;
    QPainter& m_painter;
    const TimelineScene& m_scene;
    const HistoryModel& m_model;
    const TimelineGeometry& m_geometry;
    const double m_unit;
};

QPen timelinePen(Token token, double width); // with flat ends

// Paints what is visible, whatever the number of checkpoints: those that stand too near to one another are
// one mark with their count.
class TimelinePainter {
public:
    TimelinePainter(QPainter& painter, const TimelineScene& scene);
    void paint();
    static void paintEmpty(QPainter& painter, const QRectF& rect, const QString& sentence);

private:
    void paintLanes();
    void paintTickLines();
    void paintFolds();
    void paintRails();
    void paintLaneRail(int lane);
    void paintFork(int lane);
    void paintRail(const QPointF& from, const QPointF& to, bool onPath);
    void paintSupersteps(int lane);
    void paintTasks(int mark, double nextX);
    void paintLive(const HistoryModel::Mark& mark);
    void paintMark(int index);
    [[nodiscard]] bool isEditedCopy(int index) const;
    void paintGroup(const QPointF& at, int count, bool isCurrent, bool hasTrouble);
    void paintBookmark(int index);
    void paintFound();
    void paintHeaders();
    void paintHeader(int lane, double top);
    void paintRuler();
    void paintAxisTitle();
    void paintCursor();
    [[nodiscard]] QString cursorWords(const HistoryModel::Mark& mark) const;

    [[nodiscard]] int pathMark(int lane) const; // the last on the way to the cursor; kNone: none

    const TimelinePaint m_paint;
    QPainter& m_painter;
    const TimelineScene& m_scene;
    const HistoryModel& m_model;
    const TimelineGeometry& m_geometry;
    std::vector<int> m_path; // columns
    TimelineGeometry::Range m_lanes;
    const double m_left; // as in m_paint
    const double m_right;
    const double m_unit;
    const int m_viewedLane;
};

} // namespace sg::ui
