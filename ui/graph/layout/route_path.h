#pragma once

#include <QPainterPath>

#include <vector>

namespace sg::ui {

inline constexpr double kBendRadius = 8;

// Appends a curve from the end of `path` that starts and ends horizontally.
void addCurve(QPainterPath& path, const QPointF& to);
// A point of that curve; `t` goes from 0 to 1.
QPointF pointOnCurve(const QPointF& from, const QPointF& to, double t);

// Appends straight lines through `points` with rounded bends.
void addRounded(QPainterPath& path, const std::vector<QPointF>& points);

} // namespace sg::ui
