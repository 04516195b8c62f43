#include "core/exchange/svg.h"

#include "core/exchange/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sg::exchange {
namespace {

using graph::Position;

// These are the window's light colours.
constexpr const char* kStyle = R"(  <style>
    .card { fill: #FFFFFF; stroke: #868E9A }
    .end { fill: #ECEEF1; stroke: #868E9A }
    .line { fill: none; stroke: #868E9A; stroke-width: 1.5 }
    .branch { stroke-dasharray: 5 4 }
    .tip, .bar { fill: #868E9A }
    .pill { fill: #FCFCFC; stroke: #D4D8DE }
    text { font-family: sans-serif; fill: #1C2026 }
    .title { font-size: 13px; font-weight: 600 }
    .kind, .label { font-size: 11px; fill: #606874 }
    .frame { fill: #ECEEF1; fill-opacity: 0.45; stroke: #AEB5BF }
    .slip { fill: #F8F9FA; stroke: #AEB5BF }
    .words { font-size: 12px; fill: #444B55 }
    .middle { text-anchor: middle }
  </style>
)";
constexpr double kMargin = 40;
constexpr double kArrow = 7;
constexpr double kFarthest = 1e6; // largest coordinate of a note, whatever a file says
constexpr double kLeastNote = 40;
constexpr double kLargestNote = 20'000;
constexpr double kNotePadding = 10;
constexpr double kWordWidth = 6.6;
constexpr double kWordHeight = 16;
constexpr std::size_t kTitleCharacters = 21;
constexpr std::size_t kLabelCharacters = 32;

std::string number(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value == 0 ? 0.0 : value);
    std::string result = text.data();
    return result.ends_with(".0") ? result.substr(0, result.size() - 2) : result;
}

std::string point(double x, double y)
{
    return number(x) + " " + number(y);
}

// Escapes valid UTF-8 without characters that XML cannot hold, at most `most` characters long.
std::string text(std::string_view content, std::size_t most)
{
    std::string result;
    std::size_t count = 0;
    for (std::size_t i = 0; i < content.size(); ++i) {
        const char c = content[i];
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U && count++ == most)
            return result + "…";
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

struct Box {
    Position centre;
    double width = 0;
    double height = 0;
    [[nodiscard]] double left() const { return centre.x - width / 2; }
    [[nodiscard]] double right() const { return centre.x + width / 2; }
    [[nodiscard]] double top() const { return centre.y - height / 2; }
    [[nodiscard]] double bottom() const { return centre.y + height / 2; }
};

Box boxOf(const DrawnCard& card)
{
    return card.kind.empty() ? Box{ card.centre, kEndWidth, kEndHeight }
                             : Box{ card.centre, kCardWidth, kCardHeight };
}

// The cards by column, so that a line is compared with those alone that it may cross.
class Columns {
public:
    explicit Columns(const std::vector<DrawnCard>& cards)
    {
        for (const DrawnCard& card : cards) {
            const Box box = boxOf(card);
            m_columns[{ box.left(), box.right() }].push_back(box.centre.y);
            m_lowest = std::max(m_lowest, box.bottom());
        }
        for (auto& [sides, heights] : m_columns)
            std::ranges::sort(heights);
    }

    // Returns the bottom of the lowest card between the ends of a line that it would cross; −1e9: there is
    // none. A line over very many columns passes below all cards.
    [[nodiscard]] double lowestIn(const Position& start, const Position& end) const
    {
        double lowest = -1e9;
        int count = 0;
        for (auto column = m_columns.upper_bound({ start.x, kFarRight });
             column != m_columns.end() && column->first.first < end.x; ++column) {
            if (++count > kMostColumns)
                return m_lowest;
            const auto& [left, right] = column->first;
            if (right >= end.x)
                continue;
            const double middle = (left + right) / 2;
            const double half = (right - left < kCardWidth - 1 ? kEndHeight : kCardHeight) / 2;
            const double height = start.y + (end.y - start.y) * (middle - start.x) / (end.x - start.x);
            const auto below = std::ranges::lower_bound(column->second, height + half + 6);
            if (below != column->second.begin() && *std::prev(below) > height - half - 6)
                lowest = std::max(lowest, *std::prev(below) + half);
        }
        return lowest;
    }

private:
    static constexpr int kMostColumns = 200;
    static constexpr double kFarRight = 1e12;
    std::map<std::pair<double, double>, std::vector<double>> m_columns; // left and right → heights of centres
    double m_lowest = -1e9;
};

class SvgWriter {
public:
    explicit SvgWriter(const graph::Graph& graph)
        : m_title(graph.name)
        , m_drawing(drawingOf(graph))
        , m_columns(m_drawing.cards)
        , m_notes(graph.notes)
    {
        for (const DrawnLine& line : m_drawing.lines)
            if (line.toBar)
                m_gathered.emplace(line.from, line.to);
    }

    std::string write()
    {
        for (const graph::Note& note : m_notes)
            addNote(note);
        for (std::size_t i = 0; i < m_drawing.lines.size(); ++i)
            addLine(m_drawing.lines[i], m_drawing.lineBars[i]);
        for (const DrawnBar& bar : m_drawing.bars)
            addBar(bar);
        for (const std::size_t card : m_drawing.anywhere)
            addAnywhere(boxOf(m_drawing.cards[card]));
        for (const DrawnCard& card : m_drawing.cards)
            addCard(card);
        const double width = m_right - m_left + 2 * kMargin;
        const double height = m_bottom - m_top + 2 * kMargin;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\""
            + number(height) + "\" viewBox=\"" + point(m_left - kMargin, m_top - kMargin) + " "
            + point(width, height) + "\">\n  <title>" + text(m_title, 200) + "</title>\n" + kStyle
            + "  <rect x=\"" + number(m_left - kMargin) + "\" y=\"" + number(m_top - kMargin) + "\" width=\""
            + number(width) + "\" height=\"" + number(height) + "\" fill=\"#FCFCFC\"/>\n" + m_ground + m_lines
            + m_cards + m_labels + "</svg>\n";
    }

private:
    void cover(double x, double y)
    {
        m_left = std::min(m_left, x);
        m_right = std::max(m_right, x);
        m_top = std::min(m_top, y);
        m_bottom = std::max(m_bottom, y);
    }

    // Draws a frame with its title, or a note with as many words as fit.
    void addNote(const graph::Note& note)
    {
        const auto at = [](double place) {
            return std::isfinite(place) ? std::clamp(place, -kFarthest, kFarthest) : 0;
        };
        const auto side = [](double length) {
            return std::isfinite(length) ? std::clamp(length, kLeastNote, kLargestNote) : kLeastNote;
        };
        const double left = at(note.place.x);
        const double top = at(note.place.y);
        const double width = side(note.size.x);
        const double height = side(note.size.y);
        cover(left, top);
        cover(left + width, top + height);
        m_ground += std::string("  <rect class=\"") + (note.frame ? "frame" : "slip") + "\" x=\""
            + number(left) + "\" y=\"" + number(top) + "\" width=\"" + number(width) + "\" height=\""
            + number(height) + "\" rx=\"" + (note.frame ? "8" : "2") + "\"/>\n";
        const auto characters =
            static_cast<std::size_t>(std::max(4.0, (width - 2 * kNotePadding) / kWordWidth));
        const auto most =
            note.frame ? std::size_t(1) : static_cast<std::size_t>((height - kNotePadding) / kWordHeight);
        const std::vector<std::string> lines = wrapped(note.text, characters);
        for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
            addText(note.frame ? "words title" : "words", left + kNotePadding,
                    top + 18 + kWordHeight * static_cast<double>(i), lines[i], m_ground, characters);
    }

    // Wraps at blanks; a word longer than a line is cut when it is written.
    static std::vector<std::string> wrapped(const std::string& words, std::size_t characters)
    {
        std::vector<std::string> lines{ {} };
        std::string word;
        const auto place = [&] {
            if (!lines.back().empty() && countOf(lines.back()) + 1 + countOf(word) > characters)
                lines.emplace_back();
            lines.back() += (lines.back().empty() || word.empty() ? "" : " ") + word;
            word.clear();
        };
        for (const char c : words) {
            if (c != ' ' && c != '\n') {
                word += c;
                continue;
            }
            place();
            if (c == '\n')
                lines.emplace_back();
        }
        place();
        return lines;
    }

    void addCard(const DrawnCard& card)
    {
        const Box box = boxOf(card);
        cover(box.left(), box.top());
        cover(box.right(), box.bottom());
        const bool isEnd = card.kind.empty();
        m_cards += std::string("  <rect class=\"") + (isEnd ? "end" : "card") + "\" x=\"" + number(box.left())
            + "\" y=\"" + number(box.top()) + "\" width=\"" + number(box.width) + "\" height=\""
            + number(box.height) + "\" rx=\"" + (isEnd ? "14" : "6") + "\"/>\n";
        if (isEnd) {
            addText("label middle", box.centre.x, box.centre.y + 4, card.name, m_cards);
            return;
        }
        addText("title", box.left() + 14, box.top() + 24, card.name, m_cards, kTitleCharacters);
        addText("kind", box.left() + 14, box.top() + 41, card.kind, m_cards, kTitleCharacters);
    }

    static void addText(const char* kind, double x, double y, std::string_view content, std::string& target,
                        std::size_t most = kLabelCharacters)
    {
        target += std::string("  <text class=\"") + kind + "\" x=\"" + number(x) + "\" y=\"" + number(y)
            + "\">" + text(content, most) + "</text>\n";
    }

    void addPath(const std::string& data, bool dashed)
    {
        m_lines +=
            std::string("  <path class=\"line") + (dashed ? " branch" : "") + "\" d=\"" + data + "\"/>\n";
    }

    void addTip(double x, double y, double dx, double dy)
    {
        const double backX = x - dx * kArrow;
        const double backY = y - dy * kArrow;
        m_lines += "  <path class=\"tip\" d=\"M " + point(x, y) + " L "
            + point(backX - dy * kArrow / 2, backY + dx * kArrow / 2) + " L "
            + point(backX + dy * kArrow / 2, backY - dx * kArrow / 2) + " Z\"/>\n";
    }

    void addLabel(const std::string& label, double x, double y)
    {
        if (label.empty())
            return;
        const double width = 12 + 6.2 * static_cast<double>(std::min(countOf(label), kLabelCharacters + 1));
        m_labels += "  <rect class=\"pill\" x=\"" + number(x - width / 2) + "\" y=\"" + number(y - 9)
            + "\" width=\"" + number(width) + "\" height=\"18\" rx=\"9\"/>\n";
        addText("label middle", x, y + 4, label, m_labels);
        cover(x - width / 2, y - 9);
        cover(x + width / 2, y + 9);
    }

    static std::size_t countOf(const std::string& label)
    {
        return static_cast<std::size_t>(std::ranges::count_if(
            label, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }

    void addLine(const DrawnLine& line, std::size_t bar)
    {
        const Box from = boxOf(m_drawing.cards[line.from]);
        if (line.toBar) {
            const Position end = m_drawing.bars[bar].centre;
            addCurve({ from.right(), from.centre.y }, end, false);
            return;
        }
        const Box to = boxOf(m_drawing.cards[line.to]);
        if (to.left() < from.right() + kArrow)
            return addBackward(line, from, to);
        const Position start{ from.right(), from.centre.y };
        const Position end{ to.left() - kArrow, to.centre.y };
        const std::optional<double> depth = depthBelow(line, start, end);
        if (!depth) {
            addCurve(start, end, line.dashed);
            addLabel(line.label, (start.x + end.x) / 2, (start.y + end.y) / 2);
        } else {
            const double bend = std::max(30.0, (end.x - start.x) / 3);
            addPath("M " + point(start.x, start.y) + " C " + point(start.x + bend, *depth) + " "
                        + point(end.x - bend, *depth) + " " + point(end.x, end.y),
                    line.dashed);
            cover(start.x, *depth);
            addLabel(line.label, (start.x + end.x) / 2, (start.y + end.y) / 8 + *depth * 3 / 4);
        }
        addTip(to.left(), to.centre.y, 1, 0);
    }

    // Returns how far down a line must bend to avoid cards, and a waiting edge between the same two.
    std::optional<double> depthBelow(const DrawnLine& line, const Position& start, const Position& end) const
    {
        double lowest = m_columns.lowestIn(start, end);
        if (m_gathered.contains({ line.from, line.to }))
            lowest = std::max(lowest, std::max(start.y, end.y) + kCardHeight / 4);
        if (lowest < -1e8)
            return std::nullopt;
        return (lowest + 20 - (start.y + end.y) / 8) * 4 / 3; // the middle of a cubic is at 3/4 of its bend
    }

    void addCurve(const Position& start, const Position& end, bool dashed)
    {
        const double bend = std::max(30.0, (end.x - start.x) / 2);
        addPath("M " + point(start.x, start.y) + " C " + point(start.x + bend, start.y) + " "
                    + point(end.x - bend, end.y) + " " + point(end.x, end.y),
                dashed);
    }

    // The curve goes below both cards and up again.
    void addBackward(const DrawnLine& line, const Box& from, const Box& to)
    {
        const double depth = std::max(from.bottom(), to.bottom()) + 36 + 14 * (m_backward++ % 4);
        const double startX = from.centre.x + 20;
        const double endX = line.from == line.to ? to.centre.x - 20 : to.centre.x;
        addPath("M " + point(startX, from.bottom()) + " C " + point(startX, depth) + " " + point(endX, depth)
                    + " " + point(endX, to.bottom() + kArrow),
                line.dashed);
        addTip(endX, to.bottom(), 0, -1);
        const double middle = (from.bottom() + to.bottom()) / 8 + depth * 3 / 4;
        cover(endX, depth);
        addLabel(line.label, (startX + endX) / 2, middle);
    }

    void addBar(const DrawnBar& bar)
    {
        m_cards += "  <rect class=\"bar\" x=\"" + number(bar.centre.x - 2) + "\" y=\""
            + number(bar.centre.y - 20) + "\" width=\"4\" height=\"40\" rx=\"2\"/>\n";
        cover(bar.centre.x, bar.centre.y);
        const Box to = boxOf(m_drawing.cards[bar.to]);
        addPath("M " + point(bar.centre.x, bar.centre.y) + " L " + point(to.left() - kArrow, to.centre.y),
                false);
        addTip(to.left(), to.centre.y, 1, 0);
    }

    void addAnywhere(const Box& from)
    {
        addPath("M " + point(from.centre.x, from.top()) + " l 0 -20", true);
        addTip(from.centre.x, from.top() - 20 - kArrow, 0, -1);
        addLabel("any node", from.centre.x, from.top() - 40);
    }

    const std::string m_title;
    const Drawing m_drawing;
    const Columns m_columns;
    std::set<std::pair<std::size_t, std::size_t>> m_gathered; // cards that a waiting edge leads from and to
    const std::vector<graph::Note>& m_notes;
    std::string m_ground; // drawn below all else
    std::string m_lines;
    std::string m_labels;
    std::string m_cards;
    double m_left = 1e9;
    double m_right = -1e9;
    double m_top = 1e9;
    double m_bottom = -1e9;
    int m_backward = 0;
};

} // namespace

std::string svg(const graph::Graph& graph)
{
    return SvgWriter(graph).write();
}

} // namespace sg::exchange
