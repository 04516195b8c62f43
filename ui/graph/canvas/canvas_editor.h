#pragma once

#include "core/base/ids.h"
#include "ui/graph/edits/alignment.h"

#include <QList>
#include <QObject>
#include <QPoint>
#include <QPointF>
#include <QRectF>

#include <array>
#include <functional>
#include <memory>
#include <vector>

class QAction;
class QGraphicsPathItem;
class QGraphicsRectItem;
class QKeyEvent;
class QMenu;
class QMimeData;
class QMouseEvent;

namespace sg::ui {

class Arranger;
class GraphDocument;
class GraphScene;
class GraphView;
class NodeItem;
class NodePalette;

// What pointer and keys do to the graph on a canvas: nodes are moved on a grid, edges drawn from the right
// side of a card, nodes added from a palette at the pointer. Every change is one step of the document. The
// view asks first here; an answer of false leaves the event to it.
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
    [[nodiscard]] bool takes(const QMimeData& data) const;
    bool dropped(const QMimeData& data, const QPoint& at);
    void showMenu(const QPoint& viewportPos); // (-1, -1): at what is selected

    // Also in the window's menus; enabled as the selection allows.
    struct Actions {
        QAction* undo;
        QAction* redo;
        QAction* cut;
        QAction* copy;
        QAction* paste;
        QAction* duplicate;
        QAction* remove;
        QAction* selectAll;
        QAction* add;
        QAction* connect;
        QAction* branch;
        QAction* rename;
        QAction* breakBefore;
        QAction* breakAfter;
        QAction* arrange;
        QAction* pin; // where the selected nodes stand, arranging or not
        std::array<QAction*, kAlignments> align; // as Alignment names them
        QAction* find;
        QAction* nextEdge; // of the current node, then of the same one
        QAction* inside; // of the current subgraph
        QAction* outside;
        QAction* extract; // the selected nodes into a subgraph
        QAction* dissolve; // the current subgraph's nodes in its place
        QAction* note;
        QAction* frame; // around what is selected
        QAction* nextNote;
    };
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    // In the middle of what is seen, beside the current node, which leads to it where nothing follows it yet.
    void addNodeOfKind(const QString& kind);
    [[nodiscard]] Arranger& arranger() { return *m_arranger; }
    void writeNote(std::size_t index); // its text takes the keys
    void addNodeVerb(QAction* action) { m_nodeVerbs << action; } // into the menu of a node

Q_SIGNALS:
    void renameRequested(); // of the current node: its name wants the focus
    void findRequested();
    void hinted(const QString& text); // why something cannot be done; empty: no more

private:
    enum class Gesture { None, Press, Move, Connect, Band, MoveNote, SizeNote };
    void createActions();
    void createClipboardActions();
    void createNodeActions();
    void createNoteActions();
    void createSubgraphActions();
    void updateSubgraphActions();
    void extract();
    void dissolve();
    QAction* make(const QString& text, const char* iconName, const QKeySequence& key,
                  const std::function<void()>& done);
    void updateActions();
    void startConnecting(const std::vector<NodeId>& from, const QPointF& at);
    void aim(const QPointF& at);
    void endConnecting(const QPointF& at);
    void moveTo(const QPointF& at, bool snap);
    void cancel();
    void forgetGesture();
    void selectEdgeAt(const QPoint& at);
    void selectGroundAt(const QPoint& at); // an edge or a note, else nothing
    void addNote(bool frame);
    [[nodiscard]] std::size_t noteAt(const QPointF& at) const; // kNoNote: none
    bool pressNote(const QPointF& at);
    void takeAlong(std::size_t note);
    void dragNote(const QPointF& at, bool snap);
    void dropNote(Gesture gesture);
    void moveNotesBy(const QPointF& by, const QString& mergeKey);
    void nudgeNote(const QPointF& by);
    void removeCurrentNote();
    void popUpKinds(const QPoint& viewportPos, const std::vector<NodeId>& from);
    void popUpTargets();
    void place(const QString& kind, const QPointF& at, const std::vector<NodeId>& from);
    void removeSelected();
    void nudge(const QPointF& by);
    void copySelected();
    void paste();
    void arrange();
    void align(Alignment alignment);
    void pin();
    void walkEdges();
    void createPlaceActions();
    void updatePlaceActions();
    void toggle(bool before);
    [[nodiscard]] NodeItem* nodeAt(const QPointF& scenePos) const;
    [[nodiscard]] bool isOnPort(const QPointF& scenePos, const NodeItem& node) const;
    [[nodiscard]] std::vector<NodeId> startsAt(const NodeId& node) const;
    [[nodiscard]] QPointF freePlace() const;

    GraphView& m_view;
    GraphDocument& m_document;
    GraphScene& m_scene;
    NodePalette* m_palette;
    Arranger* m_arranger;
    Actions m_actions{};
    QList<QAction*> m_nodeVerbs; // of the window
    Gesture m_gesture = Gesture::None;
    QPoint m_pressedAt;
    QPointF m_pressedScene;
    QPointF m_movedBy;
    NodeId m_pressedNode;
    NodeId m_walked; // whose edges are walked
    std::vector<std::size_t> m_moving;
    std::vector<std::size_t> m_movingNotes; // the one that is held first
    std::vector<std::string> m_faults; // why the edge that is drawn cannot lead to each of the scene's nodes
    NodeItem* m_aimed = nullptr; // that it would lead to; null: none
    std::vector<NodeId> m_from; // of the edge that is drawn, or that the palette's choice gets
    QPointF m_placeAt;
    bool m_paletteConnects = false; // its entries are targets, not kinds
    std::unique_ptr<QGraphicsPathItem> m_line;
    std::unique_ptr<QGraphicsRectItem> m_band;
};

} // namespace sg::ui
