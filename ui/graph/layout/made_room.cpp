#include "ui/graph/layout/made_room.h"

#include "ui/graph/layout/graph_drawing.h"

#include <algorithm>

namespace sg::ui {

void MadeRoom::add(const QPointF& centre, double width, double height)
{
    m_stretches.push_back(
        { shown(centre), std::max(0.0, width - kCardWidth), std::max(0.0, height - kCardHeight) });
}

QPointF MadeRoom::shown(QPointF place) const
{
    for (const auto& [at, width, height] : m_stretches) {
        const QPointF from = place - at;
        if (from.x() > kCardWidth / 2)
            place.rx() += width;
        else if (from.x() >= -kCardWidth / 2)
            place.rx() += width / 2;
        if (from.y() > kCardHeight / 2)
            place.ry() += height / 2;
        else if (from.y() < -kCardHeight / 2)
            place.ry() -= height / 2;
    }
    return place;
}

QPointF MadeRoom::placed(QPointF shown) const
{
    for (auto each = m_stretches.rbegin(); each != m_stretches.rend(); ++each) {
        const auto& [at, width, height] = *each;
        const double right = at.x() + kCardWidth / 2;
        const double left = at.x() - kCardWidth / 2;
        if (shown.x() > right + width)
            shown.rx() -= width;
        else if (shown.x() > left)
            shown.setX(std::clamp(shown.x() - width / 2, left, right));
        const double half = kCardHeight / 2;
        if (const double from = shown.y() - at.y(); from > half + height / 2)
            shown.ry() -= height / 2;
        else if (from < -half - height / 2)
            shown.ry() += height / 2;
        else
            shown.setY(at.y() + std::clamp(from, -half, half));
    }
    return shown;
}

} // namespace sg::ui
