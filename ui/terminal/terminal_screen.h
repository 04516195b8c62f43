#pragma once

#include "ui/terminal/terminal_parser.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace sg::ui {

// How a run of cells looks. A colour is the theme's default, one of 256, or its own.
struct CellLook {
    struct Colour {
        enum class Kind : std::uint8_t { Default, Indexed, Rgb };
        Kind kind = Kind::Default;
        std::uint32_t value = 0; // index, or 0xRRGGBB
        friend bool operator==(const Colour&, const Colour&) = default;
    };
    Colour ink;
    Colour ground;
    bool isBold = false;
    bool isItalic = false;
    bool isUnderlined = false;
    bool isStruck = false;
    bool isReversed = false;
    friend bool operator==(const CellLook&, const CellLook&) = default;
};

// Cells of one look beside each other; a letter that is two cells wide has a run of its own.
struct CellRun {
    int column = 0;
    int columns = 0;
    QString text;
    CellLook look;
};

// From left to right; blank cells of the default look are left out.
using TerminalRow = std::vector<CellRun>;

// What a shell has written, as xterm understands the sequences that programs use: its screen, and the last
// rows that left it. Bytes may be anything: nothing that they say takes more than the cells of the screen, in
// time or memory. (libvterm 0.1.4, Debian 12's, reads and writes beyond its screen for some.) One thread.
class TerminalScreen : private TerminalParser::Sink {
public:
    static constexpr int kMostHistory = 10'000; // rows
    static constexpr std::size_t kMostHistoryRuns = 400'000; // of all of them: every cell may look otherwise

    explicit TerminalScreen(QSize grid); // columns × rows
    TerminalScreen(const TerminalScreen&) = delete;
    TerminalScreen& operator=(const TerminalScreen&) = delete;

    void feed(const QByteArray& bytes) { m_parser.feed(bytes); }
    void resize(QSize grid); // at most 1000 each
    [[nodiscard]] QSize grid() const { return m_grid; }

    [[nodiscard]] int historyRows() const { return static_cast<int>(m_history.size()); }
    // Rows are counted from the oldest kept; the screen's come behind them.
    [[nodiscard]] TerminalRow row(int number) const;
    [[nodiscard]] QString text(int number) const; // without blanks at its end
    [[nodiscard]] QString text(int number, int from, int to) const; // of its columns [from, to)
    [[nodiscard]] int cursorRow() const { return historyRows() + m_at.row; }
    [[nodiscard]] int cursorColumn() const;
    [[nodiscard]] bool isCursorSeen() const { return m_isCursorSeen; }
    [[nodiscard]] bool takesArrowsAsKeys() const { return m_takesArrowsAsKeys; } // ESC O A for ESC [ A
    [[nodiscard]] bool tellsPastes() const { return m_tellsPastes; }
    // How many rows fell out at the oldest end so far: numbers kept elsewhere move by as many.
    [[nodiscard]] std::int64_t droppedRows() const { return m_dropped; }

    void clearHistory();
    std::function<void(const QByteArray&)> answered; // what the shell's program asked for
    std::function<void()> bell;

private:
    struct Cell {
        char32_t letter = 0; // 0: blank
        char32_t mark = 0; // that combines with it
        std::uint8_t width = 1; // 0: the second half of a wide one
        CellLook look;
    };
    using Line = std::vector<Cell>;
    struct Place {
        int row = 0;
        int column = 0; // may be one beyond the last: the next letter wraps
        CellLook look;
        bool drawsLines = false; // letters stand for box drawing
    };

    void letter(char32_t letter) override;
    void control(char code) override;
    void escape(char between, char final) override;
    void sequence(const TerminalSequence& sequence) override;

    bool move(const TerminalSequence& sequence); // true: that is what it was
    bool edit(const TerminalSequence& sequence);
    void setMode(const TerminalSequence& sequence, bool on);
    void setLook(const TerminalSequence& sequence);
    static int readColour(const TerminalSequence& sequence, int place, CellLook::Colour& colour);
    void ask(const TerminalSequence& sequence);
    void moveTo(int row, int column);
    void lineFeed();
    void reverseLineFeed();
    void scrollUp(int top, int bottom, int count); // rows [top, bottom)
    void scrollDown(int top, int bottom, int count);
    void eraseDisplay(int what);
    void eraseLine(int row, int from, int to); // [from, to)
    void showFullScreen(bool on);
    void keep(const Line& line);
    void reset();
    [[nodiscard]] Cell blank() const; // of the ground in use
    [[nodiscard]] Line blankLine() const;
    [[nodiscard]] TerminalRow runsOf(const Line& line) const;

    TerminalParser m_parser;
    QSize m_grid;
    std::deque<Line> m_lines; // of the screen
    std::deque<Line> m_behind; // of the screen that a full-screen program hides
    std::deque<TerminalRow> m_history;
    std::size_t m_historyRuns = 0;
    std::int64_t m_dropped = 0;
    Place m_at;
    Place m_saved;
    Place m_atBehind;
    int m_top = 0; // of the rows that scroll
    int m_bottom = 0; // behind them
    bool m_isCursorSeen = true;
    bool m_isFullScreen = false;
    bool m_wraps = true;
    bool m_startsAtTop = false; // rows are counted from m_top
    bool m_takesArrowsAsKeys = false;
    bool m_tellsPastes = false;
    char32_t m_last = 0; // to be repeated
};

} // namespace sg::ui
