#pragma once

#include "ui/sessions/meter_columns.h"
#include "ui/sessions/meter_marks.h"

#include <QWidget>

#include <array>
#include <iterator>

namespace sg::ui {

// Plots of memory, CPU, processes and disk use with their newest values: one below the other if there is
// height, else side by side. Bands behind them show tasks. A click on a plot, a drag along it or the arrow
// keys ask for that time; if the viewed time is older than the plots reach, they show the time around it.
class MetersView : public QWidget {
    Q_OBJECT
public:
    explicit MetersView(QWidget* parent = nullptr);

    void show(const SessionRow& session, const SampleHistory& history,
              const std::vector<MeterMark>& marks = {});
    void setMoment(double timeMs); // the time that other panels show; NaN is the present
    void setSpan(double ms); // the most that the plots show; of a younger session they show its life
    void setTasks(std::vector<TaskRow> tasks); // shown as bands, with their names above

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void momentRequested(double timeMs);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // Left and Right, faster with Shift; Home, End
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override; // tooltips of marks

private:
    static constexpr int kMeterCount = static_cast<int>(std::size(kMeters));
    struct Frame { // places of one meter
        QRectF words;
        QRectF plot;
    };
    [[nodiscard]] bool isStacked() const;
    [[nodiscard]] double newestMs() const;
    [[nodiscard]] double spanMs() const; // the time that the plots show
    [[nodiscard]] double endMs() const; // the time at the right end of the plots
    [[nodiscard]] double cursorMs() const; // NaN if there is none
    [[nodiscard]] QString wordsAt(const QPoint& place) const; // texts of the marks there
    void moveCursor(double toMs);
    void requestAt(double viewX); // of the plot that is dragged along
    void describe();
    [[nodiscard]] double headHeight() const; // height of the row of task names
    [[nodiscard]] QRectF bandOf(const TaskRow& task, const QRectF& plot) const; // empty if not visible
    void paintTaskNames(QPainter& painter) const;
    void paintBands(QPainter& painter, const QRectF& plot) const;
    [[nodiscard]] Frame frameOf(int index) const;
    void paintMeter(QPainter& painter, Meter meter, const Frame& frame);
    [[nodiscard]] bool isDense(const QRectF& plot) const; // whether there are more samples than pixels
    void paintWords(QPainter& painter, const MeterReading& reading, const QRectF& rect) const;
    void paintCourse(QPainter& painter, Meter meter, const QRectF& plot, double top) const;
    void paintDense(QPainter& painter, const MeterColumns& columns, const QRectF& plot, double top) const;
    void paintLimit(QPainter& painter, const MeterReading& reading, const QRectF& plot, double top) const;
    void paintTimes(QPainter& painter, const QRectF& plot) const;
    void paintMarks(QPainter& painter, const QRectF& plot, Meter meter) const;
    void paintMarkWords(QPainter& painter, const QRectF& plot, const MeterMark& mark, double& free) const;
    void paintThrottling(QPainter& painter, const QRectF& plot) const;
    void paintCursor(QPainter& painter, const QRectF& plot, bool withWords) const;
    void paintCursorTime(QPainter& painter, const QRectF& plot, double top) const;
    [[nodiscard]] double x(double timeMs, const QRectF& plot) const;

    SessionRow m_session;
    SampleHistory m_history;
    std::array<MeterColumns, std::size(kMeters)> m_columns; // used where isDense()
    std::vector<MeterMark> m_marks;
    std::vector<TaskRow> m_tasks;
    double m_moment = kUnknown;
    double m_wish = kUnknown; // the time chosen by keys, until setMoment() brings another
    double m_spanMs = 300'000;
    int m_dragged = -1; // the plot along which the pointer is dragged; −1: none
    double m_dragEndMs = kUnknown; // the time at the plots' right end meanwhile
};

} // namespace sg::ui
