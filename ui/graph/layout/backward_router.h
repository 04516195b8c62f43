#pragma once

#include "ui/graph/layout/card_index.h"
#include "ui/graph/layout/edge_routes.h"
#include "ui/graph/layout/port_places.h"

#include <unordered_map>
#include <vector>

namespace sg::ui {

struct RouteTarget {
    QRectF rect; // of the card or bar
    QPointF in; // where the line arrives from the left; the arrow head lies before it
    bool arrow = true;
};

// Routes for backward edges: straight down or up to a card that faces them, else below the cards in between,
// each at its own height. The order of the calls decides which edge runs nearest to the cards.
class BackwardRouter {
public:
    BackwardRouter(const GraphDrawing& drawing, const std::vector<QRectF>& rects, const CardIndex& cards,
                   const PortPlaces& ports);
    EdgeRoute route(const DrawnEdge& edge, const RouteTarget& target, double labelWidth);

private:
    struct Passage {
        double left;
        double right;
        double level;
    };
    void passBelow(EdgeRoute& route, const DrawnEdge& edge, const RouteTarget& target, double leave,
                   double arrive, double width);
    [[nodiscard]] bool clearBelow(double x, double top, double bottom, const DrawnEdge& edge) const;
    [[nodiscard]] const Passage* passageAt(double level, double left, double right) const;
    double freeLevel(const DrawnEdge& edge, const QRectF& source, const QRectF& target, double left,
                     double right, double below);

    const GraphDrawing& m_drawing;
    const std::vector<QRectF>& m_rects;
    const CardIndex& m_cards;
    const PortPlaces& m_ports;
    std::vector<int> m_leaving; // for each node: how many edges leave at its bottom so far
    std::unordered_map<int, std::vector<Passage>> m_passages; // by lane, a band of heights
};

inline constexpr double kArrowBack = 5; // a line stops inside its arrow head
inline constexpr double kClear = 8; // kept between a detour and a card
inline constexpr double kLane = 14; // between two edges that pass below the same cards

} // namespace sg::ui
