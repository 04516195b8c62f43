#pragma once

#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_tracks.h"

#include <QAbstractScrollArea>

class QTimer;

namespace sg::ui {

// Lanes under a ruler, with one cursor. Arrow keys walk along the branch and between branches; Home and End
// go to the first checkpoint and to the head; A and D scroll, W and S (also + and −) zoom at the cursor, 0 is
// 100 %, 1 shows everything; Shift+wheel scrolls sideways, Ctrl+wheel zooms where the pointer is.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

    [[nodiscard]] const TimelineModel& model() const { return m_model; }
    void clear(const QString& thread = {});
    void reset(const HistoryRows& rows);
    void add(const std::vector<CheckpointRow>& rows);
    void changeTasks(const std::vector<TaskRow>& rows);

    void setCurrent(const QString& checkpoint); // empty or unknown: follows the head
    [[nodiscard]] int currentMark() const; // kNone: no checkpoint
    [[nodiscard]] bool isAtHead() const { return m_current.isEmpty(); }
    void step(int by);
    void goToFirst();
    void goToHead();
    // One step along the way to the end of the viewed branch, also over a fork; false: that is the end.
    bool stepOnWay();

    void setAxis(TimelineAxis axis);
    [[nodiscard]] TimelineAxis axis() const { return m_geometry.axis; }
    void zoomBy(double factor); // the cursor stays where it is
    void zoomToFit();
    void resetZoom();
    [[nodiscard]] double zoom() const { return m_zoom; } // 1: 100 %

    void addSamples(const std::vector<SampleRow>& samples);
    void setSamples(std::vector<SampleRow> samples, double cpuLimit);
    void setArtifacts(const std::vector<ArtifactRow>& rows);
    void setBookmarks(const QHash<QString, QString>& notes); // by checkpoint
    [[nodiscard]] const TimelineTracks& tracks() const { return m_tracks; }
    [[nodiscard]] const TimelineGeometry& geometryNow(); // with the scale as it is now

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void checkpointSelected(const QString& checkpoint);
    void playRequested(); // Space
    void changed(); // cursor or content

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void select(int mark);
    void selectInLane(int by);
    void selectAt(const QPoint& position);
    void contentChanged(bool followHead);
    void updateScrollBars();
    void showMark(int mark);
    void announce();
    [[nodiscard]] bool isVisible(int mark) const;
    [[nodiscard]] QString toolTipAt(const QPoint& position) const;
    void zoomTo(double zoom, double viewX); // what stands there stays there
    void applyZoom();
    [[nodiscard]] double fittingZoom() const;
    [[nodiscard]] double plainRate() const; // pixels a millisecond at 100 %
    void renewScale();
    bool zoomByKey(int key);
    [[nodiscard]] double lanesBottom() const;
    [[nodiscard]] QPointF scroll() const;
    [[nodiscard]] QPointF toContent(const QPoint& position) const;
    [[nodiscard]] bool isInContent(const QPoint& position) const;

    TimelineModel m_model;
    TimelineGeometry m_geometry;
    TimelineTracks m_tracks;
    double m_zoom = 1;
    bool m_scaleIsOld = true; // checkpoints or tasks have come since
    QString m_current; // empty: the head
    QTimer* m_clock; // repaints running tasks
};

} // namespace sg::ui
