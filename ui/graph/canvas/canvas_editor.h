#pragma once

#include "ui/graph/canvas/canvas_actions.h"
#include "ui/graph/canvas/edited_canvas.h"

#include <QList>
#include <QObject>
#include <QPoint>
#include <QString>

#include <functional>
#include <memory>

class QKeyEvent;
class QKeySequence;
class QMenu;
class QMimeData;
class QMouseEvent;

namespace sg::ui {

class Arranger;
class Gesture;
class NodeAdder;

// Turns pointer and key events into edits of the graph: nodes move on a grid, edges are drawn from the right
// side of a card, nodes are added from a palette at the pointer. Every change is one step of the document.
// The view passes its events here first and handles those that are answered with false.
class CanvasEditor : public QObject {
    Q_OBJECT
public:
    CanvasEditor(GraphView& view, GraphDocument& document);
    ~CanvasEditor() override;

    bool pressed(const QMouseEvent& event);
    bool moved(const QMouseEvent& event);
    bool released(const QMouseEvent& event);
    bool doubleClicked(const QMouseEvent& event);
    bool keyPressed(const QKeyEvent& event);
    [[nodiscard]] bool takes(const QMimeData& data) const; // somewhere
    bool takesAt(const QMimeData& data, const QPoint& at); // shows where it would go
    bool dropped(const QMimeData& data, const QPoint& at);
    void showMenu(const QPoint& viewportPos); // (-1, -1) opens it at the selection

    [[nodiscard]] const CanvasActions& actions() const { return m_actions; }
    // The node is placed right of the current node, which gets an edge to it, else in the middle of the view.
    void addNodeOfKind(const QString& kind);
    [[nodiscard]] Arranger& arranger() { return *m_arranger; }
    void writeNote(std::size_t index); // opens the editor of its text
    void addNodeVerb(QAction* action) { m_nodeVerbs << action; } // adds it to the context menu of nodes

Q_SIGNALS:
    void renameRequested(); // for the current node
    void findRequested();
    void fileDropped(const sg::NodeId& node, const QString& file, const QPoint& globalPos); // with data
    void hinted(const QString& text); // why something cannot be done; empty clears the hint

private:
    void createActions();
    void createEditActions();
    void createNodeActions();
    void createPlaceActions();
    void createSubgraphActions();
    void createNoteActions();
    QAction* make(const QString& text, const char* iconName, const QKeySequence& key,
                  const std::function<void()>& done);
    void updateActions();
    void updateNodeActions();
    void updatePlaceActions();
    void connectScene();
    void hint(const QString& text); // empty: there is nothing to say
    [[nodiscard]] std::unique_ptr<Gesture> edgeFromPort(const NodeId& node, const QPointF& at);
    [[nodiscard]] bool takesKey(int key, Qt::KeyboardModifiers modifiers);
    bool leaveSelected(); // by Escape: an edge that was walked to, or a note
    void addAtPointer();
    void forgetGesture();
    void fillNodeMenu(QMenu& menu);
    void fillGroundMenu(QMenu& menu, const QPoint& at);

    const EditedCanvas m_canvas;
    Arranger* const m_arranger;
    NodeAdder* const m_adder;
    std::unique_ptr<Gesture> m_gesture; // null: the button is not pressed, or holds nothing
    CanvasActions m_actions{};
    QList<QAction*> m_nodeVerbs; // the window's additions to the menu of nodes
    NodeId m_walked; // the node whose edges are gone through
};

} // namespace sg::ui
