#pragma once

#include <cstddef>

class QAccessibleInterface;

namespace sg::ui {

class GraphView;

// What assistive technology is told of one node or edge. The caller owns the result (QAccessible's registry
// does, once it is registered); it answers as invalid when the graph has become smaller.
QAccessibleInterface* makeNodeAccessible(GraphView& view, std::size_t index);
QAccessibleInterface* makeNoteAccessible(GraphView& view, std::size_t index);
QAccessibleInterface* makeEdgeAccessible(GraphView& view, std::size_t index);

} // namespace sg::ui
