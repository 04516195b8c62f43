#pragma once

#include "ui/graph/layout/graph_drawing.h"

#include <QPainterPath>
#include <QPointF>
#include <QRectF>

#include <functional>
#include <vector>

// Where edges run between cards whose places are known. Edges to the right are curves; edges that run back
// leave from the bottom and pass below the cards; what would cross a card goes round it.
namespace sg::ui {

enum class Heading { Right, Left, Up, Down };

struct EdgeRoute {
    QPainterPath path; // ends at the arrow's back
    QPointF tip;
    Heading heading = Heading::Right;
    bool hasArrow = true;
    QRectF label; // the pill; null: none
    QRectF bounds; // of path and label
    bool backward = false;
};

struct JoinRoute {
    QRectF bar;
    EdgeRoute exit; // from the bar to the node
    QPointF textTop; // middle of the upper edge of "0 of 3"
};

struct Routes {
    std::vector<EdgeRoute> edges; // as in the drawing
    std::vector<JoinRoute> joins;
    std::vector<std::vector<QPointF>>
        ports; // of nodes: where edges touch a side, seen from the top left corner
    [[nodiscard]] QRectF bounds() const;
};

struct RouteInput {
    const GraphDrawing& drawing;
    std::vector<QPointF> centres; // of nodes
    std::vector<std::vector<QPointF>> bends; // of edges; empty: none known
    std::function<double(const std::string&)> labelWidth;
};
Routes routeEdges(const RouteInput& input);
// What routes were found for, without bends.
struct RoutedBefore {
    const GraphDrawing& drawing;
    const std::vector<QPointF>& centres;
    Routes& routes; // what stays is moved out of them
};
// The same, by far sooner where little changed: routes that nothing could have changed are taken from there.
Routes routeEdgesAnew(const RouteInput& input, const RoutedBefore& before);

QRectF nodeRect(const DrawnNode& node, const QPointF& centre);
QPointF inPort(const QRectF& rect);

inline constexpr double kPortRadius = 4;
inline constexpr double kArrowLength = 7;
inline constexpr double kLabelHeight = 18;
inline constexpr double kLabelRoom = 28; // between columns, beside the label itself
inline constexpr double kJoinRoom = 44;

} // namespace sg::ui
