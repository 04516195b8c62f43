#include "ui/terminal/terminal_screen.h"

#include <algorithm>
#include <iterator>
#include <utility>

// The effects of control sequences on a terminal's screen.
namespace sg::ui {

void TerminalScreen::moveTo(int row, int column)
{
    const int top = m_startsAtTop ? m_top : 0;
    const int bottom = m_startsAtTop ? m_bottom : m_grid.height();
    m_at.row = std::clamp(top + row, top, bottom - 1);
    m_at.column = std::clamp(column, 0, m_grid.width() - 1);
}

bool TerminalScreen::move(const TerminalSequence& sequence)
{
    const int count = sequence.at(0, 1);
    const int lastRow = m_grid.height() - 1;
    const auto rowBy = [&](int by) {
        // Within the scroll region the cursor does not leave it.
        const bool isInside = m_at.row >= m_top && m_at.row < m_bottom;
        m_at.row = std::clamp(m_at.row + by, isInside ? m_top : 0, isInside ? m_bottom - 1 : lastRow);
    };
    switch (sequence.final) {
    case 'A': rowBy(-count); break;
    case 'B':
    case 'e': rowBy(count); break;
    case 'C':
    case 'a': m_at.column = std::min(m_grid.width() - 1, cursorColumn() + count); break;
    case 'D': m_at.column = std::max(0, cursorColumn() - count); break;
    case 'E':
        rowBy(count);
        m_at.column = 0;
        break;
    case 'F':
        rowBy(-count);
        m_at.column = 0;
        break;
    case 'G':
    case '`': m_at.column = std::min(m_grid.width(), count) - 1; break;
    case 'H':
    case 'f': moveTo(count - 1, sequence.at(1, 1) - 1); break;
    case 'd': moveTo(count - 1, cursorColumn()); break;
    default: return false;
    }
    return true;
}

bool TerminalScreen::edit(const TerminalSequence& sequence)
{
    const int count = sequence.at(0, 1);
    const int column = cursorColumn();
    const int room = m_grid.width() - column;
    Line& line = m_lines[static_cast<std::size_t>(m_at.row)];
    const auto here = line.begin() + column;
    const bool scrolls = m_at.row >= m_top && m_at.row < m_bottom;
    switch (sequence.final) {
    case 'J': eraseDisplay(sequence.at(0, 0)); break;
    case 'K': {
        const int what = sequence.at(0, 0);
        eraseLine(m_at.row, what == 0 ? column : 0, what == 1 ? column + 1 : m_grid.width());
        break;
    }
    case 'X': eraseLine(m_at.row, column, column + std::min(count, room)); break;
    case '@':
        std::move_backward(here, line.end() - std::min(count, room), line.end());
        eraseLine(m_at.row, column, column + std::min(count, room));
        break;
    case 'P':
        std::move(here + std::min(count, room), line.end(), here);
        eraseLine(m_at.row, m_grid.width() - std::min(count, room), m_grid.width());
        break;
    case 'L':
        if (scrolls)
            scrollDown(m_at.row, m_bottom, count);
        break;
    case 'M':
        if (scrolls)
            scrollUp(m_at.row, m_bottom, count);
        break;
    case 'S': scrollUp(m_top, m_bottom, count); break;
    case 'T': scrollDown(m_top, m_bottom, count); break;
    case 'b':
        for (int i = 0; m_last != 0 && i < std::min(count, m_grid.width() * m_grid.height()); ++i)
            letter(m_last);
        break;
    default: return false;
    }
    return true;
}

void TerminalScreen::eraseLine(int row, int from, int to)
{
    Line& line = m_lines[static_cast<std::size_t>(row)];
    const Cell empty = blank();
    from = std::clamp(from, 0, m_grid.width());
    std::fill(line.begin() + from, line.begin() + std::clamp(to, from, m_grid.width()), empty);
}

void TerminalScreen::eraseDisplay(int what)
{
    if (what == 3) {
        clearHistory();
        return;
    }
    const int column = cursorColumn();
    for (int row = 0; row < m_grid.height(); ++row) {
        if (row == m_at.row)
            eraseLine(row, what == 0 ? column : 0, what == 1 ? column + 1 : m_grid.width());
        else if (what == 2 || (row < m_at.row) == (what == 1))
            eraseLine(row, 0, m_grid.width());
    }
}

void TerminalScreen::lineFeed()
{
    if (m_at.row + 1 == m_bottom)
        scrollUp(m_top, m_bottom, 1);
    else
        m_at.row = std::min(m_at.row + 1, m_grid.height() - 1);
}

void TerminalScreen::reverseLineFeed()
{
    if (m_at.row == m_top)
        scrollDown(m_top, m_bottom, 1);
    else
        m_at.row = std::max(m_at.row - 1, 0);
}

// Rows that leave the whole screen at the top go to the history.
void TerminalScreen::scrollUp(int top, int bottom, int count)
{
    for (int i = std::min(count, bottom - top); i > 0; --i) {
        if (top == 0 && m_top == 0 && !m_isFullScreen)
            keep(m_lines.front());
        Line gone = std::move(m_lines[static_cast<std::size_t>(top)]);
        m_lines.erase(m_lines.begin() + top);
        gone.assign(static_cast<std::size_t>(m_grid.width()), blank());
        m_lines.insert(m_lines.begin() + bottom - 1, std::move(gone));
    }
}

void TerminalScreen::scrollDown(int top, int bottom, int count)
{
    for (int i = std::min(count, bottom - top); i > 0; --i) {
        m_lines.erase(m_lines.begin() + bottom - 1);
        m_lines.insert(m_lines.begin() + top, blankLine());
    }
}

void TerminalScreen::showFullScreen(bool on)
{
    if (on == m_isFullScreen)
        return;
    m_isFullScreen = on;
    if (on) {
        m_atBehind = m_at;
        m_behind =
            std::exchange(m_lines, std::deque<Line>(static_cast<std::size_t>(m_grid.height()), blankLine()));
    } else {
        m_lines = std::exchange(m_behind, {});
        m_at = m_atBehind;
    }
    m_top = 0;
    m_bottom = m_grid.height();
}

void TerminalScreen::setMode(const TerminalSequence& sequence, bool on)
{
    for (int i = 0; i < sequence.count; ++i)
        switch (sequence.at(i, 0)) {
        case 1: m_takesArrowsAsKeys = on; break;
        case 6:
            m_startsAtTop = on;
            moveTo(0, 0);
            break;
        case 7: m_wraps = on; break;
        case 25: m_isCursorSeen = on; break;
        case 47:
        case 1047:
        case 1049: showFullScreen(on); break;
        case 1048: (on ? m_saved : m_at) = on ? m_at : m_saved; break;
        case 2004: m_tellsPastes = on; break;
        default: break;
        }
}

// Reads 38;5;N or 38;2;R;G;B and returns the position of its last number.
int TerminalScreen::readColour(const TerminalSequence& sequence, int place, CellLook::Colour& colour)
{
    using Kind = CellLook::Colour::Kind;
    const auto part = [&](int at) { return static_cast<std::uint32_t>(std::min(sequence.at(at, 0), 255)); };
    if (sequence.at(place + 1, 0) == 5) {
        colour = { Kind::Indexed, part(place + 2) };
        return place + 2;
    }
    if (sequence.at(place + 1, 0) == 2) {
        colour = { Kind::Rgb, (part(place + 2) << 16U) | (part(place + 3) << 8U) | part(place + 4) };
        return place + 4;
    }
    return place + 1;
}

void TerminalScreen::setLook(const TerminalSequence& sequence)
{
    using Kind = CellLook::Colour::Kind;
    CellLook& look = m_at.look;
    const auto indexed = [](int index) {
        return CellLook::Colour{ Kind::Indexed, static_cast<std::uint32_t>(index) };
    };
    for (int i = 0; i < std::max(1, sequence.count); ++i) {
        const int code = sequence.at(i, 0);
        if (code == 0)
            look = {};
        else if (code == 1 || code == 22)
            look.isBold = code == 1;
        else if (code == 3 || code == 23)
            look.isItalic = code == 3;
        else if (code == 4 || code == 24)
            look.isUnderlined = code == 4;
        else if (code == 7 || code == 27)
            look.isReversed = code == 7;
        else if (code == 9 || code == 29)
            look.isStruck = code == 9;
        else if (code == 38)
            i = readColour(sequence, i, look.ink);
        else if (code == 48)
            i = readColour(sequence, i, look.ground);
        else if (code == 39)
            look.ink = {};
        else if (code == 49)
            look.ground = {};
        else if (code >= 30 && code <= 37)
            look.ink = indexed(code - 30);
        else if (code >= 40 && code <= 47)
            look.ground = indexed(code - 40);
        else if (code >= 90 && code <= 97)
            look.ink = indexed(code - 90 + 8);
        else if (code >= 100 && code <= 107)
            look.ground = indexed(code - 100 + 8);
    }
}

} // namespace sg::ui
