#include "ui/graph/layout/dot_layout.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace sg::ui {
namespace {

constexpr double kUnitsPerInch = 72;
constexpr double kBetweenRows = 20; // scene units, from card to card
constexpr double kBetweenColumns = 40;
constexpr double kLetter = 8; // approximate width of an n in dot's default font size

std::string inches(double units)
{
    char text[32];
    const int length = std::snprintf(text, sizeof(text), "%.3f", units / kUnitsPerInch);
    std::string written(text, static_cast<std::size_t>(length));
    std::ranges::replace(written, ',', '.'); // some locales write a comma
    return written;
}

// The next word of a line; empty at the end of the line.
std::string_view takeWord(std::string_view& line)
{
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

std::optional<double> numberIn(std::string_view word)
{
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool isNumber = error == std::errc() && end == word.data() + word.size() && std::isfinite(number);
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace

std::string dotInput(const GraphDrawing& drawing, const std::vector<double>& labelWidths)
{
    std::string text = "digraph {\nrankdir=LR\nnodesep=" + inches(kBetweenRows)
        + "\nranksep=" + inches(kBetweenColumns) + "\nnode [shape=box, fixedsize=true, label=\"\"]\n";
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
        const DrawnNode& node = drawing.nodes[i];
        text += "n" + std::to_string(i) + " [width=" + inches(node.width())
            + ", height=" + inches(node.height()) + "]\n";
    }
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
        const DrawnEdge& edge = drawing.edges[i];
        if (edge.open)
            continue;
        text += "n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to);
        if (labelWidths[i] > 0)
            text += " [label=\"" + std::string(static_cast<std::size_t>(labelWidths[i] / kLetter) + 1, 'n')
                + "\"]";
        text += '\n';
    }
    return text + "}\n";
}

// The lines are "graph SCALE WIDTH HEIGHT" and "node NAME X Y WIDTH HEIGHT …", in inches with y upwards.
// Lines about edges are ignored, because edges are routed here.
std::optional<std::vector<LayoutPoint>> dotPlaces(std::string_view plain, std::size_t count)
{
    std::vector<std::optional<LayoutPoint>> found(count);
    double height = 0;
    while (!plain.empty()) {
        std::string_view line = plain.substr(0, plain.find('\n'));
        plain.remove_prefix(std::min(line.size() + 1, plain.size()));
        const std::string_view kind = takeWord(line);
        const std::string_view name = takeWord(line); // in a "graph" line this is the scale
        const auto x = numberIn(takeWord(line));
        const auto y = numberIn(takeWord(line));
        if (kind == "graph" && y)
            height = *y;
        if (kind != "node" || !x || !y || !name.starts_with('n'))
            continue;
        std::size_t index = count;
        std::from_chars(name.data() + 1, name.data() + name.size(), index);
        if (index < count)
            found[index] = LayoutPoint{ *x * kUnitsPerInch, (height - *y) * kUnitsPerInch };
    }
    std::vector<LayoutPoint> places;
    for (const auto& place : found) {
        if (!place)
            return std::nullopt;
        places.push_back(*place);
    }
    return places;
}

} // namespace sg::ui
