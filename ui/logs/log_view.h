#pragma once

#include "ui/logs/log_rows.h"

#include <QAbstractScrollArea>

namespace sg::ui {

int logRowHeight();

// Lines of a log, one row each. Follows the end until the user scrolls up; End or scrolling to the end
// follows again. Shift extends the selection, Ctrl+C copies it, Ctrl+A takes all.
class LogView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);

    [[nodiscard]] const LogRows& rows() const { return m_rows; }
    void clear();
    void reset(const std::vector<LogRow>& rows);
    void append(const std::vector<LogRow>& rows);
    void setFilter(const LogFilter& filter);
    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    [[nodiscard]] QString selectedText() const;

Q_SIGNALS:
    void countsChanged();
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Columns; // where time, step, node, stream and text stand
    [[nodiscard]] Columns columns() const;
    void paintRow(QPainter& painter, const Columns& columns, std::size_t index, double top) const;
    void updateScrollBars();
    void scrolled(int value);
    void moveTo(std::size_t index, bool extend);
    void copy() const;
    void announce();
    [[nodiscard]] std::size_t indexAt(const QPoint& position) const; // clamped; only while rows are shown
    [[nodiscard]] int rowsVisible() const;

    LogRows m_rows;
    bool m_following = true;
    bool m_settling = false; // the scroll bar moves by us
    bool m_hasSelection = false;
    std::size_t m_anchor = 0; // row numbers
    std::size_t m_cursor = 0;
    double m_widestText = 0;
};

} // namespace sg::ui
