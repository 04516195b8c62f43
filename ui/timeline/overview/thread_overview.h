#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/timeline/time_scale.h"

#include <QAbstractScrollArea>
#include <QHash>

#include <vector>

namespace sg::ui {

struct PanelParts;

// All threads of the project on one clock: a row a thread, a bar a run, below it a line for each session that
// it had. Gaps in which nothing ran anywhere are folded. Up and Down choose a thread, Enter shows it; W and S
// zoom, A and D scroll.
class ThreadOverview : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ThreadOverview(const PanelParts& parts, QWidget* parent = nullptr);
    explicit ThreadOverview(QWidget* parent = nullptr); // shows what it is given

    void setRows(const std::vector<OverviewRow>& rows); // the newest thread first
    void setLabels(const QHash<QString, QString>& labels); // by thread
    void setCurrent(const QString& thread);
    [[nodiscard]] const std::vector<OverviewRow>& rows() const { return m_rows; }
    [[nodiscard]] QSize sizeHint() const override;

    // Returns where a run's bar stands in the viewport; for tests.
    [[nodiscard]] QRectF runRect(int row, int run);

Q_SIGNALS:
    void threadChosen(const QString& thread);
    void momentChosen(const QString& thread, double timeMs); // where a run ended

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void renewScale();
    void updateScrollBars();
    void zoomTo(double zoom, double viewX);
    void choose(int row);
    void announce();
    [[nodiscard]] int currentRow() const; // −1: none
    [[nodiscard]] int rowAt(double y) const; // −1: none
    [[nodiscard]] int runAt(int row, double x) const; // −1: none
    [[nodiscard]] double viewX(double ms) const;
    [[nodiscard]] QRectF barOf(int row, const RunSpan& run) const;
    [[nodiscard]] QString tipAt(const QPoint& position) const;
    [[nodiscard]] QString labelOf(const OverviewRow& row) const;
    void paintRow(QPainter& painter, int row) const;
    void paintRuns(QPainter& painter, int row) const;
    void paintRuler(QPainter& painter) const;
    void paintHeader(QPainter& painter, int row) const;

    std::vector<OverviewRow> m_rows;
    QHash<QString, QString> m_labels;
    QString m_current;
    TimeScale m_scale;
    double m_zoom = 1; // 1: everything is seen
    double m_nowMs = 0; // when the scale was made
};

} // namespace sg::ui
