#pragma once

#include <QHash>
#include <QRectF>

#include <utility>
#include <vector>

namespace sg::ui {

// Finds the cards near a place without looking at all of them.
class CardIndex {
public:
    explicit CardIndex(std::vector<QRectF> cards);

    // Whether any card but the two named touches `area`.
    [[nodiscard]] bool touches(const QRectF& area, std::size_t except, std::size_t orExcept) const;
    // The cards that touch `area`, in no order, each once.
    [[nodiscard]] std::vector<std::size_t> touching(const QRectF& area) const;
    [[nodiscard]] const QRectF& card(std::size_t index) const { return m_cards[index]; }

private:
    std::vector<QRectF> m_cards;
    QHash<std::pair<int, int>, std::vector<std::size_t>> m_cells;
};

} // namespace sg::ui
