#pragma once

// Screen readers see nothing of a QGraphicsView. This gives every GraphView an interface of its own whose
// children are the graph's nodes ("analyze, python node, done, 1 in, 1 out"), then its edges, then the
// widgets that lie over the canvas. Nodes can be selected and activated; changes of state are announced.
namespace sg::ui {

void installGraphAccessibility(); // later calls do nothing

} // namespace sg::ui
