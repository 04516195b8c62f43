#pragma once

#include <cstddef>

class QAccessibleInterface;

namespace sg::ui {

class GraphView;

// Accessibility interface of one node, note or edge. The caller owns it until QAccessible's registry takes it
// over; it becomes invalid when the graph shrinks below its index.
QAccessibleInterface* makeNodeAccessible(GraphView& view, std::size_t index);
QAccessibleInterface* makeNoteAccessible(GraphView& view, std::size_t index);
QAccessibleInterface* makeEdgeAccessible(GraphView& view, std::size_t index);

} // namespace sg::ui
