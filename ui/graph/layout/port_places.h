#pragma once

#include "ui/graph/layout/graph_drawing.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <utility>
#include <vector>

namespace sg::ui {

inline constexpr double kSideRoom = 16; // space beside a card in which a vertical line fits

// Places the ports by which edges leave their cards on the right: one for each way out, from top to bottom in
// the order of the targets, so that lines do not cross at the card. Backward edges need no port, they leave
// at the bottom.
class PortPlaces {
public:
    PortPlaces(const GraphDrawing& drawing, const std::vector<QRectF>& cards);

    [[nodiscard]] QPointF of(const DrawnEdge& edge) const;
    [[nodiscard]] std::size_t count(std::size_t node) const { return m_counts[node]; }

private:
    using Lead = std::pair<double, std::size_t>; // height of the target, port

    const std::vector<QRectF>& m_cards;
    std::vector<Lead> m_leads; // grouped by node, each group from the top
    std::vector<std::size_t> m_starts; // the index in m_leads where each node begins
    std::vector<std::size_t> m_counts; // the ports of each node
};

QPointF outPort(const QRectF& rect, std::size_t place, std::size_t count);

} // namespace sg::ui
