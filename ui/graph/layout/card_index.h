#pragma once

#include <QRectF>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sg::ui {

// Finds the cards near a place without looking at all of them: a grid over their bounds with about as many
// cells as there are cards.
class CardIndex {
public:
    explicit CardIndex(std::vector<QRectF> cards);

    // Tells whether any card but the two named touches `area`.
    [[nodiscard]] bool touches(const QRectF& area, std::size_t except, std::size_t orExcept) const
    {
        return visit(area, [&](std::size_t card) { return card != except && card != orExcept; });
    }
    // Calls `found` with each card that touches `area` until it returns true. A card in several cells can
    // come more than once.
    template<typename Found>
    bool visit(const QRectF& area, const Found& found) const
    {
        if (!overlap(area, m_room))
            return false;
        const Span span = cellsOf(area);
        for (int y = span.top; y <= span.bottom; ++y)
            for (int x = span.left; x <= span.right; ++x) {
                const std::size_t cell =
                    static_cast<std::size_t>(y) * m_columns + static_cast<std::size_t>(x);
                for (std::uint32_t i = m_starts[cell]; i < m_starts[cell + 1]; ++i)
                    if (overlap(m_cards[m_inCells[i]], area) && found(m_inCells[i]))
                        return true;
            }
        return false;
    }

    [[nodiscard]] const QRectF& card(std::size_t index) const { return m_cards[index]; }

private:
    struct Span {
        int left, right, top, bottom;
    };
    [[nodiscard]] Span cellsOf(const QRectF& area) const;
    // Both rectangles must have positive sides.
    static bool overlap(const QRectF& a, const QRectF& b)
    {
        return a.left() < b.right() && b.left() < a.right() && a.top() < b.bottom() && b.top() < a.bottom();
    }

    std::vector<QRectF> m_cards;
    QRectF m_room; // the bounds of all cards
    double m_cellWidth = 1;
    double m_cellHeight = 1;
    std::size_t m_columns = 1;
    std::size_t m_rows = 1;
    std::vector<std::uint32_t> m_starts; // the index in m_inCells where each cell begins, and the end
    std::vector<std::uint32_t> m_inCells;
};

} // namespace sg::ui
