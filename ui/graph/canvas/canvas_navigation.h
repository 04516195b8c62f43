#pragma once

#include <QPointF>

#include <cstddef>
#include <optional>
#include <vector>

namespace sg::ui {

enum class Direction { Left, Right, Up, Down };

// The node that an arrow key leads to: the nearest one within 45° of the direction, else the nearest one that
// lies further that way at all.
std::optional<std::size_t> nodeTowards(const std::vector<QPointF>& centres, std::size_t from,
                                       Direction direction);

} // namespace sg::ui
