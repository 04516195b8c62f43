#include "ui/graph/layout/route_path.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeastReach = 24;

double reachOf(const QPointF& from, const QPointF& to)
{
    return std::max(kLeastReach, (to.x() - from.x()) / 2);
}

QPointF towards(const QPointF& from, const QPointF& to, double distance)
{
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    return length <= 0 ? from : from + way * (distance / length);
}

double distance(const QPointF& a, const QPointF& b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

void addCurve(QPainterPath& path, const QPointF& to)
{
    const QPointF from = path.currentPosition();
    if (qFuzzyCompare(from.y() + 1, to.y() + 1)) {
        path.lineTo(to);
        return;
    }
    path.cubicTo(from + QPointF(reachOf(from, to), 0), to - QPointF(reachOf(from, to), 0), to);
}

QPointF pointOnCurve(const QPointF& from, const QPointF& to, double t)
{
    const QPointF reach(reachOf(from, to), 0);
    const double r = 1 - t;
    return from * (r * r * r) + (from + reach) * (3 * r * r * t) + (to - reach) * (3 * r * t * t)
        + to * (t * t * t);
}

void addRounded(QPainterPath& path, const std::vector<QPointF>& points)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i + 1 == points.size()) {
            path.lineTo(points[i]);
            break;
        }
        const QPointF before = path.currentPosition();
        const double radius = std::min(
            { kBendRadius, distance(before, points[i]) / 2, distance(points[i], points[i + 1]) / 2 });
        path.lineTo(towards(points[i], before, radius));
        path.quadTo(points[i], towards(points[i], points[i + 1], radius));
    }
}

} // namespace sg::ui
