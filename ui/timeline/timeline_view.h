#pragma once

#include "ui/selection/shown_history.h"
#include "ui/timeline/axis_scale.h"
#include "ui/timeline/found_marks.h"
#include "ui/timeline/nested_lanes.h"
#include "ui/timeline/planned_branch.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/timeline/watch_tracks.h"

#include <QAbstractScrollArea>

#include <optional>

class QTimer;

namespace sg::ui {

struct TimelineScene;

// Lanes under a ruler, with one cursor. ← and → walk along the branch, ↑ and ↓ to the branch that it comes
// from and to one that comes from it, or the next; Home and End
// go to the first checkpoint and to the head; A and D scroll, W and S (also + and −) zoom at the cursor, 0 is
// 100 %, 1 shows everything; Shift+wheel scrolls sideways, Ctrl+wheel zooms where the pointer is. A drag
// along the ruler or the strip, along a lane too where time is measured, moves the cursor through the moments
// between checkpoints, as Shift with ← and → does.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    static constexpr double kWidest = 1e9; // pixels: a scroll bar counts them

    explicit TimelineView(ShownHistory& history, QWidget* parent = nullptr);

    [[nodiscard]] const HistoryModel& model() const { return m_model; }
    [[nodiscard]] int currentMark() const { return m_history.currentMark(); }
    [[nodiscard]] bool isAtHead() const { return m_history.isAtHead(); }
    [[nodiscard]] bool showsRewind() const { return m_model.hasRewind(); } // a session was used
    void step(int by);
    void goToFirst();
    void goToHead();
    // Goes one step along the way to the end of the viewed branch, also over a fork; false: that is the end.
    bool stepOnWay();

    void setAxis(TimelineAxis axis);
    [[nodiscard]] TimelineAxis axis() const { return m_geometry.axis; }
    void zoomBy(double factor); // the cursor stays where it is
    void zoomToFit();
    void resetZoom();
    [[nodiscard]] double zoom() const { return m_scale.zoom(); } // 1: 100 %

    void addSamples(const std::vector<SampleRow>& samples);
    void setSamples(std::vector<SampleRow> samples, double cpuLimit);
    void setArtifacts(const std::vector<ArtifactRow>& rows); // other threads' are left out
    void setCells(std::vector<TimelineTracks::Cell> cells);
    void addCells(const std::vector<TimelineTracks::Cell>& cells);
    [[nodiscard]] NestedLanes& nested() { return m_nested; } // what ran inside of tasks
    bool addWatch(const QString& program); // false: it is there, or there are too many
    void removeWatch(const QString& program);
    void setWatched(const WatchRows& rows);
    [[nodiscard]] QStringList watches() const;
    void setBookmarks(const QHash<QString, QString>& notes); // by checkpoint
    [[nodiscard]] const QHash<QString, QString>& bookmarks() const { return m_tracks.bookmarks; }
    void setFound(const QStringList& checkpoints); // by a search
    void setPlanned(const PlannedBranch& planned); // shown below the lanes
    [[nodiscard]] const PlannedBranch& planned() const { return m_planned; }
    [[nodiscard]] const TimelineTracks& tracks() const { return m_tracks; }
    [[nodiscard]] const TimelineGeometry& geometryNow(); // with the scale as it is now

    [[nodiscard]] int
    wantedHeight() const; // all lanes and all that is measured below them, without scrolling
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void wantedHeightChanged();
    void checkpointSelected(const QString& checkpoint);
    void playRequested(); // Space
    void menuRequested(const QString& node, const QPoint& at); // of the selected one; empty: of no task
    void changed(); // cursor or content
    void watchWanted(const QString& program, const QStringList& way); // see setWatched()

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void select(int mark);
    void selectParentBranch();
    void selectChildBranch();
    void selectInLane(int lane); // as near to the cursor as that goes
    void selectAt(const QPoint& position);
    void scrubTo(double viewX);
    void scrubBy(double pixels);
    void notePlaces(); // that the rows which come now may move
    void takeChange(const HistoryChange& change);
    void forgetContent(); // another thread's
    void contentChanged(bool followHead, int firstMark = 0); // what changed begins there
    void updateScrollBars();
    void showMark(int mark);
    void announce();
    [[nodiscard]] bool isVisible(int mark) const;
    [[nodiscard]] QString toolTipAt(const QPoint& position) const;
    void zoomTo(double zoom, double viewX); // what stands there stays there
    [[nodiscard]] double fittingZoom() const;
    void tracksChanged();
    [[nodiscard]] TimelineScene sceneNow() const;
    [[nodiscard]] bool hasPlanned() const; // and what it begins from is here
    [[nodiscard]] QSizeF contentSize() const;
    void showPlanned();
    void connectHistory();
    void connectNested();
    void askWatch();
    void askNested(); // for what is seen
    bool zoomByKey(int key);
    [[nodiscard]] double lanesBottom() const;
    [[nodiscard]] QPointF scroll() const;
    [[nodiscard]] QPointF toContent(const QPoint& position) const;
    [[nodiscard]] bool isInContent(const QPoint& position) const;

    ShownHistory& m_history;
    const HistoryModel& m_model; // of that
    TimelineGeometry m_geometry;
    TimelineTracks m_tracks;
    FoundMarks m_found;
    NestedLanes m_nested;
    AxisScale m_scale;
    WatchTracks m_watches;
    PlannedBranch m_planned;
    // The state before the change that comes:
    bool m_sawHead = true;
    std::optional<int> m_scrubbed; // the lane along which the pointer is dragged
    QString m_shownId; // the checkpoint that was looked at
    double m_shownX = 0; // its place in the view
    QSize m_hint; // the last that was told
    int m_wantedHeight = 0; // the same
    QTimer* m_clock; // repaints running tasks
};

} // namespace sg::ui
