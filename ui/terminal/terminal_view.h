#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/terminal/terminal_screen.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QFont>

#include <deque>
#include <memory>

namespace sg::ui {

class TerminalLine;

// Shows a shell and sends keys to it. The shell gets all keys except Ctrl+Shift+…, Ctrl+Alt+…, F6 and
// Shift+Page Up / Down. The mouse selects, Ctrl+Shift+C copies, Ctrl+Shift+V pastes.
class TerminalView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TerminalView(QWidget* parent = nullptr);
    ~TerminalView() override;

    void attach(std::shared_ptr<TerminalLine> line); // starts with a new screen
    void end(); // shows the remaining output; typing ends, the screen stays
    [[nodiscard]] QSize grid() const; // columns × rows that fit
    [[nodiscard]] const TerminalScreen& screen() const { return *m_screen; }
    [[nodiscard]] QString seenText() const; // the visible rows, one a line
    [[nodiscard]] QString selectedText() const;
    // Mutes what was printed after that time, and scrolls to the last row before it; NaN is the present.
    void setMoment(double timeMs);
    [[nodiscard]] int seenRowsBeforeMoment() const; // of the visible rows; all of them in the present

public Q_SLOTS:
    void copy() const;
    void paste();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    [[nodiscard]] QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool) override { return false; } // the shell needs Tab
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Place { // a position between cells
        std::int64_t row = 0; // includes dropped rows
        int column = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    void print(const QByteArray& bytes);
    void followEnd(bool wasAtEnd, std::int64_t dropped);
    void fitGrid();
    [[nodiscard]] Place placeAt(const QPointF& point) const;
    [[nodiscard]] QRectF cellRect(int seenRow, int column, int columns) const;
    void paintRow(QPainter& painter, int seenRow, const TerminalRow& row) const;
    void paintSelection(QPainter& painter, int seenRow) const;
    void paintCursor(QPainter& painter) const;
    void select(Place from, Place to);
    void noteTime();
    [[nodiscard]] std::int64_t lastRowThen() const; // −1: nothing was printed by then

    std::unique_ptr<TerminalScreen> m_screen;
    std::shared_ptr<TerminalLine> m_line;
    QFont m_font;
    double m_cellWidth = 1;
    double m_cellHeight = 1;
    double m_ascent = 1;
    QBasicTimer m_frame; // takes output once in each frame
    struct Printed { // by that time the cursor stood in that row
        double timeMs = 0;
        std::int64_t row = 0; // includes dropped rows
    };
    std::deque<Printed> m_times; // in order; of rows that are kept
    double m_moment = kUnknown;
    bool m_isHeld = false; // it followed the end until a time was shown
    Place m_selectFrom;
    Place m_selectTo;
};

} // namespace sg::ui
