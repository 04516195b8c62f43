#pragma once

#include "ui/timeline/timeline_geometry.h"

#include <QAbstractScrollArea>

class QTimer;

namespace sg::ui {

// Lanes under a ruler, with one cursor. Arrow keys walk along the branch and between branches; Home and End
// go to the first checkpoint and to the head; Shift+wheel scrolls sideways.
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

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void checkpointSelected(const QString& checkpoint);
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
    [[nodiscard]] QPointF scroll() const;
    [[nodiscard]] QPointF toContent(const QPoint& position) const;
    [[nodiscard]] bool isInContent(const QPoint& position) const;

    TimelineModel m_model;
    TimelineGeometry m_geometry;
    QString m_current; // empty: the head
    QTimer* m_clock; // repaints running tasks
};

} // namespace sg::ui
