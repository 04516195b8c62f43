#pragma once

#include "ui/logs/log_rows.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <limits>

class QPushButton;

namespace sg::ui {

int logRowHeight();

// Lines of a log, one row each. Follows the end until the user scrolls up; End or scrolling to the end
// follows again. Shift extends the selection, Ctrl+C copies it, Ctrl+A takes all; left and right fold and
// unfold what one task printed; Enter looks at the moment of the line.
class LogView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);

    [[nodiscard]] const LogRows& rows() const { return m_rows; }
    void clear();
    void reset(const std::vector<LogRow>& rows); // what is being read of the same log stays in sight
    void append(const std::vector<LogRow>& rows);
    void setFilter(const LogFilter& filter);
    void setAllFolded(bool folded);
    // The moment that the other panels show: a line stands there, later rows are quiet. NaN: none, and the
    // end is followed again where showMoment() had stopped that.
    void setMoment(double timeMs);
    void showMoment(); // scrolls there
    void setFound(const QString& word); // is marked wherever it stands; empty: nothing
    // Selects the next row that has it; searchEnded() says whether there is one, at once or a little later.
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
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Columns; // where time, step, node, stream and text stand
    [[nodiscard]] Columns columns() const;
    // How many letters of its text were painted.
    qsizetype paintRow(QPainter& painter, const Columns& columns, std::size_t index, double top) const;
    void paintFold(QPainter& painter, const Columns& columns, std::size_t index, double top) const;
    void paintText(QPainter& painter, const Columns& columns, const LogRow& row, double top, QRgb ink) const;
    void paintFound(QPainter& painter, const Columns& columns, const LogRow& row, double top) const;
    void scan(); // goes on with a new filter
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
    double m_moment = std::numeric_limits<double>::quiet_NaN();
    bool m_isHeld = false; // the end was followed until a moment was shown
    std::optional<LogPattern> m_found;
    std::optional<LogRows::Search> m_search; // under way
    QTimer m_searching; // runs meanwhile
    QTimer m_scan; // runs while a filter has not looked at every row
    QPushButton* m_jump;
};

} // namespace sg::ui
