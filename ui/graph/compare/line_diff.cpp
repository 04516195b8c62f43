#include "ui/graph/compare/line_diff.h"

#include <QStringList>

#include <algorithm>
#include <cstdint>

namespace sg::ui {
namespace {

constexpr qsizetype kMostCells = 4'000'000; // limit of the table; larger middles count as replaced as a whole

// Longest common subsequence of both middles: the table holds its length from each place to the end.
void addMiddle(const QStringList& before, const QStringList& after, std::vector<DiffLine>& lines)
{
    const qsizetype rows = before.size();
    const qsizetype columns = after.size();
    const bool small = (rows + 1) * (columns + 1) <= kMostCells;
    std::vector<std::uint16_t> table;
    if (small && rows > 0 && columns > 0)
        table.resize(static_cast<std::size_t>((rows + 1) * (columns + 1)));
    const auto length = [&](qsizetype row, qsizetype column) -> std::uint16_t& {
        return table[static_cast<std::size_t>(row * (columns + 1) + column)];
    };
    if (!table.empty())
        for (qsizetype row = rows - 1; row >= 0; --row)
            for (qsizetype column = columns - 1; column >= 0; --column)
                length(row, column) = before[row] == after[column]
                    ? static_cast<std::uint16_t>(length(row + 1, column + 1) + 1)
                    : std::max(length(row + 1, column), length(row, column + 1));
    qsizetype row = 0;
    qsizetype column = 0;
    while (!table.empty() && row < rows && column < columns) {
        if (before[row] == after[column]) {
            lines.push_back({ QLatin1Char(' '), before[row] });
            ++row;
            ++column;
        } else if (length(row + 1, column) >= length(row, column + 1)) {
            lines.push_back({ QLatin1Char('-'), before[row++] });
        } else {
            lines.push_back({ QLatin1Char('+'), after[column++] });
        }
    }
    for (; row < rows; ++row)
        lines.push_back({ QLatin1Char('-'), before[row] });
    for (; column < columns; ++column)
        lines.push_back({ QLatin1Char('+'), after[column] });
}

std::vector<DiffLine> nearChanges(const std::vector<DiffLine>& all, int around)
{
    std::vector<bool> kept(all.size(), false);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].sign != QLatin1Char(' ')) {
            const std::size_t from = i - std::min(i, static_cast<std::size_t>(around));
            const std::size_t to = std::min(all.size(), i + static_cast<std::size_t>(around) + 1);
            std::fill(kept.begin() + static_cast<std::ptrdiff_t>(from),
                      kept.begin() + static_cast<std::ptrdiff_t>(to), true);
        }
    std::vector<DiffLine> lines;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (kept[i])
            lines.push_back(all[i]);
        else if (!lines.empty() && lines.back().sign != QLatin1Char('@'))
            lines.push_back({ QLatin1Char('@'), {} });
    }
    if (!lines.empty() && lines.back().sign == QLatin1Char('@'))
        lines.pop_back();
    return lines;
}

} // namespace

std::vector<DiffLine> lineDiff(const QString& before, const QString& after, int around)
{
    const QStringList old = before.split(QLatin1Char('\n'));
    const QStringList now = after.split(QLatin1Char('\n'));
    const qsizetype shorter = std::min(old.size(), now.size());
    qsizetype head = 0;
    while (head < shorter && old[head] == now[head])
        ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
        ++tail;
    std::vector<DiffLine> lines;
    for (qsizetype i = 0; i < head; ++i)
        lines.push_back({ QLatin1Char(' '), old[i] });
    addMiddle(old.mid(head, old.size() - head - tail), now.mid(head, now.size() - head - tail), lines);
    for (qsizetype i = old.size() - tail; i < old.size(); ++i)
        lines.push_back({ QLatin1Char(' '), old[i] });
    return nearChanges(lines, around);
}

} // namespace sg::ui
