#pragma once

#include "core/base/ids.h"

#include <QPoint>
#include <QPointF>

#include <cstddef>
#include <vector>

namespace sg::ui {

class GraphDocument;
class GraphScene;
class GraphView;
class NodeItem;

// The view, the scene and the document that gestures and commands act on. All of it outlives them.
struct EditedCanvas {
    GraphView& view;
    GraphDocument& document;
    GraphScene& scene;
};

constexpr double kCanvasGrid = 20; // where nodes and notes are put down
constexpr double kPortReach = 11; // how near the pointer must come to a port

QPointF onGrid(const QPointF& place);
// The node whose card or port is there, or null. In the overview cards are met from a little further away.
NodeItem* nodeAt(const EditedCanvas& canvas, const QPointF& at);
bool isOnPort(const EditedCanvas& canvas, const QPointF& at, const NodeItem& node);
std::size_t noteAt(const EditedCanvas& canvas, const QPointF& at); // kNoNote if there is none
void selectEdgeAt(const EditedCanvas& canvas, const QPoint& viewportPos); // no node any more; perhaps no edge
void selectGroundAt(const EditedCanvas& canvas, const QPoint& viewportPos); // the same with notes
std::vector<NodeId> withoutTerminals(std::vector<NodeId> nodes); // without Start and End
// An edge that is drawn from one of several selected nodes starts at all of them.
std::vector<NodeId> startsAt(const EditedCanvas& canvas, const NodeId& node);

} // namespace sg::ui
