#pragma once

class QPainter;
class QRectF;

namespace sg::graph {
struct Graph;
}

namespace sg::ui {

// A small picture of a graph for people to choose by: a box with its kind's icon for each node and plain
// lines between them, centred in `room`. It shows no state and no name.
void paintGraphPicture(QPainter& painter, const graph::Graph& graph, const QRectF& room);

} // namespace sg::ui
