#pragma once

#include "ui/graph/graph_drawing.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <map>
#include <vector>

namespace sg::ui {

inline constexpr double kSideRoom = 16; // beside a card, where a vertical line still fits

// Where edges leave their cards on the right: one port for each way out, from top to bottom in the order of
// what they lead to, so that lines do not cross at the card. What runs back needs none, it leaves at the
// bottom.
class PortPlaces {
public:
    PortPlaces(const GraphDrawing& drawing, const std::vector<QRectF>& cards);

    [[nodiscard]] QPointF of(const DrawnEdge& edge) const;
    [[nodiscard]] std::size_t count(std::size_t node) const { return m_ranks[node].size(); }

private:
    const std::vector<QRectF>& m_cards;
    std::vector<std::map<std::size_t, std::size_t>> m_ranks; // of nodes: port → place from the top
};

QPointF outPort(const QRectF& rect, std::size_t place, std::size_t count);

} // namespace sg::ui
