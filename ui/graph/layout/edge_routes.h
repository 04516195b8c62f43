#pragma once

#include "ui/graph/layout/graph_drawing.h"

#include <QPainterPath>
#include <QPointF>
#include <QRectF>

#include <functional>
#include <vector>

// Routes of edges between cards with known places. Edges to the right are curves, or detours around cards in
// their way; backward edges leave at the bottom and pass below the cards.
namespace sg::ui {

enum class Heading { Right, Left, Up, Down };

struct EdgeRoute {
    QPainterPath path; // ends at the back of the arrow head
    QPointF tip;
    Heading heading = Heading::Right;
    bool hasArrow = true;
    QRectF label; // the pill; null if there is no label
    QRectF bounds; // of path and label
    bool backward = false;
};

struct JoinRoute {
    QRectF bar;
    EdgeRoute exit; // from the bar to the node
    QPointF textTop; // top centre of the text "0 of 3"
};

struct Routes {
    std::vector<EdgeRoute> edges; // as in the drawing
    std::vector<JoinRoute> joins;
    std::vector<std::vector<QPointF>>
        ports; // of each node: where edges touch a side, relative to the top left corner
    [[nodiscard]] QRectF bounds() const;
};

struct RouteInput {
    const GraphDrawing& drawing;
    std::vector<QPointF> centres; // of nodes
    std::vector<std::vector<QPointF>> bends; // of edges; empty if none are known
    std::function<double(const std::string&)> labelWidth;
};
Routes routeEdges(const RouteInput& input);
// The input for which earlier routes were found; it had no bends.
struct RoutedBefore {
    const GraphDrawing& drawing;
    const std::vector<QPointF>& centres;
    Routes& routes; // routes that stay valid are moved out of it
};
// Gives the same result, much faster if little changed: routes that cannot have changed are reused.
Routes routeEdgesAnew(const RouteInput& input, const RoutedBefore& before);

QRectF nodeRect(const DrawnNode& node, const QPointF& centre);
QPointF inPort(const QRectF& rect);

inline constexpr double kPortRadius = 4;
inline constexpr double kArrowLength = 7;
inline constexpr double kLabelHeight = 18;
inline constexpr double kLabelRoom = 28; // extra space between columns, next to a label
inline constexpr double kJoinRoom = 44;

} // namespace sg::ui
