#include "ui/graph/canvas/canvas_navigation.h"

#include <cmath>

namespace sg::ui {

namespace {

// Maps `way` so that `direction` becomes the x axis.
QPointF turned(const QPointF& way, Direction direction)
{
    switch (direction) {
    case Direction::Right: return way;
    case Direction::Left: return { -way.x(), way.y() };
    case Direction::Down: return { way.y(), way.x() };
    case Direction::Up: return { -way.y(), way.x() };
    }
    return way;
}

} // namespace

std::optional<std::size_t> nodeTowards(const std::vector<QPointF>& centres, std::size_t from,
                                       Direction direction)
{
    std::optional<std::size_t> best;
    double bestCost = 0;
    bool bestInCone = false;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const QPointF way = turned(centres[i] - centres[from], direction);
        if (i == from || way.x() <= 0.5)
            continue;
        const double aside = std::abs(way.y());
        const bool inCone = aside <= way.x();
        const double cost = way.x() + 2 * aside;
        if (!best || (inCone && !bestInCone) || (inCone == bestInCone && cost < bestCost)) {
            best = i;
            bestCost = cost;
            bestInCone = inCone;
        }
    }
    return best;
}

} // namespace sg::ui
