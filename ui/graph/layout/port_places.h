#pragma once

#include "ui/graph/layout/graph_drawing.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <utility>
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
    [[nodiscard]] std::size_t count(std::size_t node) const { return m_counts[node]; }

private:
    using Lead = std::pair<double, std::size_t>; // height of the target, port

    const std::vector<QRectF>& m_cards;
    std::vector<Lead> m_leads; // of one node after the other, from the top
    std::vector<std::size_t> m_starts; // of nodes, in the leads
    std::vector<std::size_t> m_counts; // of nodes
};

QPointF outPort(const QRectF& rect, std::size_t place, std::size_t count);

} // namespace sg::ui
