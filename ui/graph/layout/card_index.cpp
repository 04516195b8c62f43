#include "ui/graph/layout/card_index.h"

#include <cmath>

namespace sg::ui {

CardIndex::CardIndex(std::vector<QRectF> cards)
    : m_cards(std::move(cards))
{
    for (const QRectF& card : m_cards)
        m_room |= card;
    // A square grid with about as many cells as cards, whatever the shape of their bounds.
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(m_cards.size()))));
    m_columns = m_rows = std::max<std::size_t>(1, side);
    m_cellWidth = std::max(1.0, m_room.width() / static_cast<double>(m_columns));
    m_cellHeight = std::max(1.0, m_room.height() / static_cast<double>(m_rows));
    m_starts.assign(m_columns * m_rows + 1, 0);
    const auto eachCell = [&](const auto& take) {
        for (std::size_t i = 0; i < m_cards.size(); ++i) {
            const Span span = cellsOf(m_cards[i]);
            for (int y = span.top; y <= span.bottom; ++y)
                for (int x = span.left; x <= span.right; ++x)
                    take(static_cast<std::size_t>(y) * m_columns + static_cast<std::size_t>(x),
                         static_cast<std::uint32_t>(i));
        }
    };
    eachCell([&](std::size_t cell, std::uint32_t) { ++m_starts[cell + 1]; });
    for (std::size_t i = 1; i < m_starts.size(); ++i)
        m_starts[i] += m_starts[i - 1];
    m_inCells.resize(m_starts.back());
    std::vector<std::uint32_t> next(m_starts.begin(), m_starts.end() - 1);
    eachCell([&](std::size_t cell, std::uint32_t card) { m_inCells[next[cell]++] = card; });
}

CardIndex::Span CardIndex::cellsOf(const QRectF& area) const
{
    const auto cell = [](double distance, double size, std::size_t count) {
        return static_cast<int>(std::clamp(std::floor(distance / size), 0.0, static_cast<double>(count - 1)));
    };
    return { cell(area.left() - m_room.left(), m_cellWidth, m_columns),
             cell(area.right() - m_room.left(), m_cellWidth, m_columns),
             cell(area.top() - m_room.top(), m_cellHeight, m_rows),
             cell(area.bottom() - m_room.top(), m_cellHeight, m_rows) };
}

} // namespace sg::ui
