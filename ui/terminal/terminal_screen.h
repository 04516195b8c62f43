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

// The attributes of a run of cells. A colour is the theme's default, one of 256, or RGB.
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

// Adjacent cells with the same look; a wide character has a run of its own.
struct CellRun {
    int column = 0;
    int columns = 0;
    QString text;
    CellLook look;
};

// Sorted from left to right; blank cells with the default look are omitted.
using TerminalRow = std::vector<CellRun>;

// The screen of a terminal and the rows that scrolled out of it; it interprets the xterm sequences that
// programs use. The bytes may be hostile: no sequence takes more time or memory than the cells of the screen.
// (libvterm 0.1.4 of Debian 12 accesses memory beyond its screen for some.) One thread.
class TerminalScreen : private TerminalParser::Sink {
public:
    static constexpr int kMostHistory = 10'000; // rows
    static constexpr std::size_t kMostHistoryRuns = 400'000; // each cell may have its own look

    explicit TerminalScreen(QSize grid); // columns × rows
    TerminalScreen(const TerminalScreen&) = delete;
    TerminalScreen& operator=(const TerminalScreen&) = delete;

    void feed(const QByteArray& bytes) { m_parser.feed(bytes); }
    void resize(QSize grid); // at most 1000 columns and rows
    [[nodiscard]] QSize grid() const { return m_grid; }

    [[nodiscard]] int historyRows() const { return static_cast<int>(m_history.size()); }
    // Rows are numbered from the oldest one kept; the screen's rows follow the history.
    [[nodiscard]] TerminalRow row(int number) const;
    [[nodiscard]] QString text(int number) const; // without trailing blanks
    [[nodiscard]] QString text(int number, int from, int to) const; // columns [from, to)
    [[nodiscard]] int cursorRow() const { return historyRows() + m_at.row; }
    [[nodiscard]] int cursorColumn() const;
    [[nodiscard]] bool isCursorSeen() const { return m_isCursorSeen; }
    [[nodiscard]] bool takesArrowsAsKeys() const { return m_takesArrowsAsKeys; } // ESC O A instead of ESC [ A
    [[nodiscard]] bool tellsPastes() const { return m_tellsPastes; }
    // The number of rows dropped from the history so far, by which stored row numbers must be reduced.
    [[nodiscard]] std::int64_t droppedRows() const { return m_dropped; }

    void clearHistory();
    std::function<void(const QByteArray&)> answered; // sends a reply to the program in the terminal

private:
    struct Cell {
        char32_t letter = 0; // 0 is blank
        char32_t mark = 0; // combines with the character
        std::uint8_t width = 1; // 0 for the second half of a wide character
        CellLook look;
    };
    using Line = std::vector<Cell>;
    struct Place {
        int row = 0;
        int column = 0; // one beyond the last column means that the next character wraps
        CellLook look;
        bool drawsLines = false; // letters are shown as line drawing
    };

    void letter(char32_t letter) override;
    void control(char code) override;
    void escape(char between, char final) override;
    void sequence(const TerminalSequence& sequence) override;

    bool move(const TerminalSequence& sequence); // true if it was such a sequence
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
    [[nodiscard]] Cell blank() const; // with the present background
    [[nodiscard]] Line blankLine() const;
    [[nodiscard]] TerminalRow runsOf(const Line& line) const;

    TerminalParser m_parser;
    QSize m_grid;
    std::deque<Line> m_lines; // the screen
    std::deque<Line> m_behind; // the screen hidden by a full-screen program
    std::deque<TerminalRow> m_history;
    std::size_t m_historyRuns = 0;
    std::int64_t m_dropped = 0;
    Place m_at;
    Place m_saved;
    Place m_atBehind;
    int m_top = 0; // first row of the scroll region
    int m_bottom = 0; // row after the scroll region
    bool m_isCursorSeen = true;
    bool m_isFullScreen = false;
    bool m_wraps = true;
    bool m_startsAtTop = false; // row numbers begin at m_top
    bool m_takesArrowsAsKeys = false;
    bool m_tellsPastes = false;
    char32_t m_last = 0; // for repetition
};

} // namespace sg::ui
