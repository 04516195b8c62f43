#include "ui/graph/card_index.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kCell = 240;

struct Span {
    int left;
    int right;
    int top;
    int bottom;
};

Span cellsOf(const QRectF& area)
{
    const auto cell = [](double value) { return static_cast<int>(std::floor(value / kCell)); };
    return { cell(area.left()), cell(area.right()), cell(area.top()), cell(area.bottom()) };
}

} // namespace

CardIndex::CardIndex(std::vector<QRectF> cards)
    : m_cards(std::move(cards))
{
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        const Span span = cellsOf(m_cards[i]);
        for (int x = span.left; x <= span.right; ++x)
            for (int y = span.top; y <= span.bottom; ++y)
                m_cells[{ x, y }].push_back(i);
    }
}

std::vector<std::size_t> CardIndex::touching(const QRectF& area) const
{
    std::vector<std::size_t> found;
    const Span span = cellsOf(area);
    // An area over more cells than there are is cheaper to compare with every card.
    const double cells = (span.right - span.left + 1.0) * (span.bottom - span.top + 1.0);
    if (cells > static_cast<double>(m_cells.size())) {
        for (std::size_t i = 0; i < m_cards.size(); ++i)
            if (m_cards[i].intersects(area))
                found.push_back(i);
        return found;
    }
    for (int x = span.left; x <= span.right; ++x)
        for (int y = span.top; y <= span.bottom; ++y) {
            const auto cell = m_cells.constFind({ x, y });
            if (cell == m_cells.constEnd())
                continue;
            for (const std::size_t i : *cell)
                if (m_cards[i].intersects(area))
                    found.push_back(i);
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

bool CardIndex::touches(const QRectF& area, std::size_t except, std::size_t orExcept) const
{
    const std::vector<std::size_t> found = touching(area);
    return std::any_of(found.begin(), found.end(),
                       [&](std::size_t i) { return i != except && i != orExcept; });
}

} // namespace sg::ui
