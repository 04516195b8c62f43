#pragma once

#include "ui/graph/canvas/edited_canvas.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QGraphicsItem;

namespace sg::ui {

// One drag of the pointer on the canvas, from the press on. What it changes is one step of the document, made
// when the button is released; until then it is only shown. A gesture that is destroyed leaves no mark.
class Gesture {
public:
    Gesture() = default;
    Gesture(const Gesture&) = delete;
    Gesture& operator=(const Gesture&) = delete;
    virtual ~Gesture() = default;
    virtual void move(const QPointF& at, bool snaps) = 0; // scene coordinates; `snaps`: to the grid
    virtual void release(const QPointF& at) = 0;
    virtual void cancel() { } // shows everything where it was
};

// Moves the selected nodes, and selects the pressed one alone where the pointer did not move.
std::unique_ptr<Gesture> moveOfNodes(const EditedCanvas& canvas, const NodeId& pressed, const QPointF& at);
std::unique_ptr<Gesture> bandFrom(const EditedCanvas& canvas, const QPointF& at); // selects what it touches
// Moves the note that is there, with all that a frame surrounds, or resizes it by its corner; null: none.
std::unique_ptr<Gesture> gestureOnNote(const EditedCanvas& canvas, const QPointF& at);

struct EdgeDrawing {
    std::function<void(const QString& why)> hint; // why it cannot lead there; empty: it can
    // The edge ends on empty ground: a new node is asked for, and the line stays in sight until then.
    std::function<void(const QPointF& at, const std::vector<NodeId>& from,
                       std::unique_ptr<QGraphicsItem> line)>
        onGround;
};
std::unique_ptr<Gesture> edgeFrom(const EditedCanvas& canvas, const std::vector<NodeId>& from,
                                  const QPointF& at, const EdgeDrawing& drawing);

} // namespace sg::ui
