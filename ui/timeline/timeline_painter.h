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

// What is shown besides the checkpoints themselves.
struct TimelineScene {
    const HistoryModel& model;
    const TimelineGeometry& geometry;
    const TimelineTracks& tracks;
    const NestedRuns& nested;
    const WatchTracks& watches;
    const std::vector<int>& nestedRows; // by lane; empty: nothing ran inside of any task
    int current = HistoryModel::kNone; // mark under the cursor
    bool atHead = true; // the cursor follows the head
    bool focused = false;
    QPointF scroll; // of the content's corner
    QSizeF size; // of the whole view
    double lanesBottom = 0; // where the strip begins
    double nowMs = 0;
    const PlannedBranch* planned = nullptr; // null: nothing is previewed
};

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
    const TaskRow* task = nullptr; // the first of its superstep
};
// What of the run that is loaded stands in the box; null: nothing yet.
const NestedRuns::Run* runIn(const NestedRuns& nested, const NestedBox& box);
std::vector<InnerBox> innerBoxes(const NestedRuns::Run& run, const NestedBox& box,
                                 const TimelineGeometry& geometry);
QRectF foldMarkRect(const TimelineGeometry& geometry, int lane); // in content's height, header's width

double plannedStep(const TimelineGeometry& geometry); // between two of its marks

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
    void paintTask(const TaskBox& box, double spaceRight);
    void paintBeside(const TaskBox& box, bool withWaiting);
    void paintTaskText(const TaskBox& box, const QRectF& room, const QFont& font);
    void paintNested(int lane);
    void paintRun(const NestedBox& box);
    void paintInner(const InnerBox& inner);
    void paintFoldMark(int lane, double top);
    void paintLive(const HistoryModel::Mark& mark);
    void paintMark(int index);
    void paintGroup(const QPointF& at, int count, bool isCurrent, bool hasTrouble);
    void paintBookmark(int index);
    void paintFound();
    void paintHeaders();
    void paintHeader(int lane, double top);
    void paintRuler();
    void paintAxisTitle();
    void paintCursor();
    void paintPlanned();
    void paintPlannedStep(const QPointF& mark, const std::vector<PlannedBranch::Task>& tasks);
    void paintPlannedTask(const TaskBox& box, const QString& word);
    void paintPlannedHeader();
    [[nodiscard]] double lanesEnd() const; // with the previewed one

    [[nodiscard]] int pathMark(int lane) const; // the last on the way to the cursor; kNone: none

    QPainter& m_painter;
    const TimelineScene& m_scene;
    const HistoryModel& m_model;
    const TimelineGeometry& m_geometry;
    std::vector<int> m_path; // columns
    TimelineGeometry::Range m_lanes;
    double m_left; // of what is seen, in content coordinates
    double m_right;
    double m_unit; // 1 at the designed text size
    int m_viewedLane = HistoryModel::kNone;
    int m_planned = HistoryModel::kNone; // the mark that the previewed branch begins from
};

} // namespace sg::ui
