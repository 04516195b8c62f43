#include "ui/terminal/terminal_screen.h"

#include "ui/terminal/letter_width.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kLargest = 1000;
constexpr int kTab = 8;

QSize allowed(QSize grid)
{
    return grid.expandedTo({ 1, 1 }).boundedTo({ kLargest, kLargest });
}

// Maps the letters of DEC's line drawing set that programs use.
char32_t drawn(char32_t letter)
{
    static constexpr std::u32string_view kFrom = U"jklmnqtuvwxa`fgo~y.z0";
    static constexpr std::u32string_view kTo = U"┘┐┌└┼─├┤┴┬│▒◆°±⎺·≤↓≥█";
    static_assert(kFrom.size() == kTo.size());
    const std::size_t place = kFrom.find(letter);
    return place == std::u32string_view::npos ? letter : kTo[place];
}

} // namespace

TerminalScreen::TerminalScreen(QSize grid)
    : m_parser(*this)
    , m_grid(allowed(grid))
{
    reset();
}

void TerminalScreen::reset()
{
    m_at = m_saved = m_atBehind = {};
    m_top = 0;
    m_bottom = m_grid.height();
    m_isCursorSeen = m_wraps = true;
    m_isFullScreen = m_startsAtTop = m_takesArrowsAsKeys = m_tellsPastes = false;
    m_lines.assign(static_cast<std::size_t>(m_grid.height()), blankLine());
    m_behind.clear();
}

TerminalScreen::Cell TerminalScreen::blank() const
{
    Cell cell;
    cell.look.ground = m_at.look.ground;
    return cell;
}

TerminalScreen::Line TerminalScreen::blankLine() const
{
    return Line(static_cast<std::size_t>(m_grid.width()), blank());
}

int TerminalScreen::cursorColumn() const
{
    return std::min(m_at.column, m_grid.width() - 1);
}

void TerminalScreen::resize(QSize grid)
{
    grid = allowed(grid);
    if (grid == m_grid)
        return;
    m_grid = grid;
    const auto rows = static_cast<std::size_t>(grid.height());
    for (auto* lines : { &m_lines, &m_behind }) {
        Place& at = lines == &m_lines ? m_at : m_atBehind;
        // Rows above the cursor are removed at the top, those below it at the bottom.
        while (lines->size() > rows) {
            const bool isMain = (lines == &m_lines) != m_isFullScreen;
            if (at.row + 1 < static_cast<int>(lines->size())) {
                lines->pop_back();
            } else {
                if (isMain)
                    keep(lines->front());
                lines->pop_front();
                --at.row;
            }
        }
        while (!lines->empty() && lines->size() < rows)
            lines->push_back({});
        for (Line& line : *lines)
            line.resize(static_cast<std::size_t>(grid.width()));
    }
    for (Place* place : { &m_at, &m_saved, &m_atBehind }) {
        place->row = std::clamp(place->row, 0, grid.height() - 1);
        place->column = std::clamp(place->column, 0, grid.width() - 1);
    }
    m_top = 0;
    m_bottom = grid.height();
}

void TerminalScreen::keep(const Line& line)
{
    m_history.push_back(runsOf(line));
    m_historyRuns += m_history.back().size();
    while (historyRows() > kMostHistory || m_historyRuns > kMostHistoryRuns) {
        m_historyRuns -= m_history.front().size();
        m_history.pop_front();
        ++m_dropped;
    }
}

void TerminalScreen::clearHistory()
{
    m_dropped += historyRows();
    m_history.clear();
    m_historyRuns = 0;
}

void TerminalScreen::letter(char32_t letter)
{
    const char32_t shown = m_at.drawsLines ? drawn(letter) : letter;
    const int width = std::min(letterWidth(shown), m_grid.width());
    if (width == 0) { // it combines with the character before it
        if (m_at.column > 0)
            m_lines[static_cast<std::size_t>(m_at.row)]
                   [static_cast<std::size_t>(std::min(m_at.column, m_grid.width()) - 1)]
                       .mark = shown;
        return;
    }
    if (m_at.column + width > m_grid.width()) {
        if (m_wraps) {
            m_at.column = 0;
            lineFeed();
        } else {
            m_at.column = m_grid.width() - width;
        }
    }
    Line& line = m_lines[static_cast<std::size_t>(m_at.row)];
    for (int i = 0; i < width; ++i) {
        Cell& cell = line[static_cast<std::size_t>(m_at.column + i)];
        cell = { i == 0 ? shown : 0, 0, static_cast<std::uint8_t>(i == 0 ? width : 0), m_at.look };
    }
    m_at.column += width;
    m_last = letter;
}

void TerminalScreen::control(char code)
{
    switch (code) {
    case '\b': m_at.column = std::max(0, cursorColumn() - 1); break;
    case '\t': m_at.column = std::min(m_grid.width() - 1, (m_at.column / kTab + 1) * kTab); break;
    case '\n':
    case '\v':
    case '\f': lineFeed(); break;
    case '\r': m_at.column = 0; break;
    case 0x0E: m_at.drawsLines = true; break;
    case 0x0F: m_at.drawsLines = false; break;
    default: break;
    }
}

void TerminalScreen::escape(char between, char final)
{
    if (between == '(' || between == ')') {
        m_at.drawsLines = between == '(' && final == '0';
        return;
    }
    if (between != 0)
        return;
    switch (final) {
    case '7': m_saved = m_at; break;
    case '8': m_at = m_saved; break;
    case 'D': lineFeed(); break;
    case 'E':
        m_at.column = 0;
        lineFeed();
        break;
    case 'M': reverseLineFeed(); break;
    case 'c': reset(); break;
    default: break;
    }
}

void TerminalScreen::sequence(const TerminalSequence& sequence)
{
    if (sequence.isStrange)
        return;
    if (sequence.mark == '?') {
        if (sequence.final == 'h' || sequence.final == 'l')
            setMode(sequence, sequence.final == 'h');
        return;
    }
    if (sequence.final == 'c') {
        ask(sequence);
        return;
    }
    if (sequence.mark != 0 || move(sequence) || edit(sequence))
        return;
    switch (sequence.final) {
    case 'm': setLook(sequence); break;
    case 'n': ask(sequence); break;
    case 's': m_saved = m_at; break;
    case 'u': m_at = m_saved; break;
    case 'r': {
        const int top = sequence.at(0, 1) - 1;
        const int bottom = std::min(sequence.at(1, m_grid.height()), m_grid.height());
        if (top + 1 < bottom) {
            m_top = top;
            m_bottom = bottom;
            moveTo(0, 0);
        }
        break;
    }
    default: break;
    }
}

void TerminalScreen::ask(const TerminalSequence& sequence)
{
    if (!answered)
        return;
    if (sequence.final == 'c' && sequence.mark == 0)
        answered("\x1b[?1;2c"); // a VT100 with the usual options
    else if (sequence.final == 'c' && sequence.mark == '>')
        answered("\x1b[>0;100;0c");
    else if (sequence.final == 'n' && sequence.at(0, 0) == 5)
        answered("\x1b[0n");
    else if (sequence.final == 'n' && sequence.at(0, 0) == 6)
        answered("\x1b[" + QByteArray::number(m_at.row + 1) + ';' + QByteArray::number(cursorColumn() + 1)
                 + 'R');
}

TerminalRow TerminalScreen::runsOf(const Line& line) const
{
    TerminalRow row;
    for (int column = 0; column < static_cast<int>(line.size()); ++column) {
        const Cell& cell = line[static_cast<std::size_t>(column)];
        if (cell.width == 0 || (cell.letter == 0 && cell.look == CellLook()))
            continue;
        const bool isPlain = cell.width == 1 && cell.mark == 0 && cell.letter < 0x10000;
        const bool continues = isPlain && !row.empty() && row.back().look == cell.look
            && row.back().columns == row.back().text.size()
            && row.back().column + row.back().columns == column;
        if (!continues)
            row.push_back({ column, 0, {}, cell.look });
        row.back().columns += cell.width;
        const char32_t letters[] = { cell.letter == 0 ? U' ' : cell.letter, cell.mark };
        row.back().text += QString::fromUcs4(letters, cell.mark == 0 ? 1 : 2);
    }
    return row;
}

TerminalRow TerminalScreen::row(int number) const
{
    if (number < 0 || number >= historyRows() + m_grid.height())
        return {};
    if (number < historyRows())
        return m_history[static_cast<std::size_t>(number)];
    return runsOf(m_lines[static_cast<std::size_t>(number - historyRows())]);
}

QString TerminalScreen::text(int number) const
{
    return text(number, 0, kLargest);
}

QString TerminalScreen::text(int number, int from, int to) const
{
    QString text;
    int column = from;
    for (const CellRun& run : row(number)) {
        const int left = std::max(from, run.column);
        const int right = std::min(to, run.column + run.columns);
        if (left >= right)
            continue;
        // A run of single cells can be cut; a wide or combined character is taken as a whole.
        const bool isPlain = run.text.size() == run.columns;
        text += QString(std::max(0, left - column), QLatin1Char(' '))
            + (isPlain ? run.text.mid(left - run.column, right - left) : run.text);
        column = run.column + run.columns;
    }
    while (text.endsWith(QLatin1Char(' ')))
        text.chop(1);
    return text;
}

} // namespace sg::ui
