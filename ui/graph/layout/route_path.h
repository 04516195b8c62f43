#pragma once

#include <QPainterPath>

#include <vector>

namespace sg::ui {

inline constexpr double kBendRadius = 8;

// From where `path` ends: a curve that leaves and arrives level.
void addCurve(QPainterPath& path, const QPointF& to);
// A point of that curve, `t` from 0 to 1.
QPointF pointOnCurve(const QPointF& from, const QPointF& to, double t);

// From where `path` ends: straight lines through `points` with rounded bends.
void addRounded(QPainterPath& path, const std::vector<QPointF>& points);

} // namespace sg::ui
