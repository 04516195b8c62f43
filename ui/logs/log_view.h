#pragma once

#include "ui/logs/log_pictures.h"
#include "ui/logs/log_rows.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <limits>

class QPushButton;

namespace sg::ui {

int logRowHeight();

// Lines of a log, one in each row. The view follows the end until the user scrolls up; End or scrolling to
// the end follows again. Shift extends the selection, Ctrl+C copies it, Ctrl+A selects all; what is selected
// can be dragged as text. Left and right fold and unfold a task's output; Enter shows the time of the line in
// all panels.
class LogView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);

    [[nodiscard]] const LogRows& rows() const { return m_rows; }
    void clear();
    void reset(const std::vector<LogRow>& rows); // keeps the read lines visible if it is the same log
    void append(const std::vector<LogRow>& rows);
    void setFilter(const LogFilter& filter);
    void setAllFolded(bool folded);
    // The time that other panels show: a line marks it, later rows are muted. NaN is the present; then the
    // view follows the end again if showMoment() had stopped that.
    void setMoment(double timeMs);
    void showMoment(); // scrolls to that time
    void setFound(const QString& word); // marks all matches; empty marks nothing
    // Drawn in the rows that tell of it, and larger under the mouse.
    void addPicture(const QString& name, const QImage& picture);
    // Selects the next match; searchEnded() tells whether there is one, at once or later.
    void findNext(bool backwards);
    [[nodiscard]] bool isSearching() const { return m_search.has_value(); }
    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);
    [[nodiscard]] QString selectedText() const;

Q_SIGNALS:
    void countsChanged();
    void followingChanged(bool following);
    void searchEnded(bool isFound);
    void momentRequested(const sg::ui::LogRow& row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Columns; // horizontal positions of the columns
    [[nodiscard]] Columns columns() const;
    // Returns the number of painted characters.
    qsizetype paintRow(QPainter& painter, const Columns& columns, std::size_t index, double top) const;
    void paintFold(QPainter& painter, const Columns& columns, std::size_t index, double top) const;
    void paintText(QPainter& painter, const Columns& columns, const LogRow& row, double top, QRgb ink) const;
    void paintPicture(QPainter& painter, const Columns& columns, const LogRow& row, double top) const;
    void paintFound(QPainter& painter, const Columns& columns, const LogRow& row, double top) const;
    void scan(); // continues applying a filter
    void search(std::chrono::milliseconds budget);
    void giveUpSearch();
    void goOnSearching();
    void refiltered();
    void fold(std::size_t index, bool folded);
    void placeJump();
    void updateScrollBars();
    void scrolled(int value);
    void moveTo(std::size_t index, bool extend);
    void copy() const;
    void dragSelected();
    [[nodiscard]] bool isSelected(std::size_t index) const;
    void announce();
    [[nodiscard]] std::size_t indexAt(const QPoint& position) const; // clamped; needs shown rows
    [[nodiscard]] int rowsVisible() const;

    LogRows m_rows;
    LogPictures m_pictures;
    bool m_following = true;
    bool m_settling = false; // the scroll bar is moved by code
    bool m_hasSelection = false;
    std::size_t m_anchor = 0; // row numbers
    std::size_t m_cursor = 0;
    std::optional<QPoint> m_dragFrom; // a selected line is held: it is dragged, or selected alone
    double m_widestText = 0;
    double m_moment = std::numeric_limits<double>::quiet_NaN();
    bool m_isHeld = false; // followed the end until a time was shown
    std::optional<LogPattern> m_found;
    std::optional<LogRows::Search> m_search; // running search
    QTimer m_searching; // runs during a search
    QTimer m_scan; // runs while a filter is being applied
    QPushButton* m_jump;
};

} // namespace sg::ui
