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
    [[nodiscard]] bool takes(const QMimeData& data) const;
    bool dropped(const QMimeData& data, const QPoint& at);
    void showMenu(const QPoint& viewportPos); // (-1, -1) opens it at the selection

    // The window's menus hold these actions too; they are enabled as the selection allows.
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
        QAction* pin; // fixes the selected nodes: arranging leaves them where they are
        std::array<QAction*, kAlignments> align; // in the order of Alignment
        QAction* find;
        QAction* nextEdge; // the next edge of the current node
        QAction* inside; // opens the current subgraph
        QAction* outside;
        QAction* extract; // moves the selected nodes into a new subgraph
        QAction* dissolve; // replaces the current subgraph by its nodes
        QAction* note;
        QAction* frame; // around the selection
        QAction* nextNote;
    };
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    // The node is placed right of the current node, which gets an edge to it, else in the middle of the view.
    void addNodeOfKind(const QString& kind);
    [[nodiscard]] Arranger& arranger() { return *m_arranger; }
    void writeNote(std::size_t index); // opens the editor of its text
    void addNodeVerb(QAction* action) { m_nodeVerbs << action; } // adds it to the context menu of nodes

Q_SIGNALS:
    void renameRequested(); // for the current node
    void findRequested();
    void hinted(const QString& text); // why something cannot be done; empty clears the hint

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
    void selectGroundAt(const QPoint& at); // selects an edge or a note, else clears the selection
    void addNote(bool frame);
    [[nodiscard]] std::size_t noteAt(const QPointF& at) const; // kNoNote if there is none
    bool pressNote(const QPointF& at);
    void takeAlong(std::size_t note);
    void dragNote(const QPointF& at, bool snap);
    void dropNote(Gesture gesture);
    void moveNotesBy(const QPointF& by, const QString& mergeKey);
    void nudgeNote(const QPointF& by);
    void removeCurrentNote();
    void popUpKinds(const QPoint& viewportPos, const std::vector<NodeId>& from);
    void popUpTargets();
    void joinSelected(const QString& entry); // an entry of the palette that is no kind of node
    void dropJoin(const QString& entry, const QPointF& at);
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
    QList<QAction*> m_nodeVerbs; // the window's additions to the menu of nodes
    Gesture m_gesture = Gesture::None;
    QPoint m_pressedAt;
    QPointF m_pressedScene;
    QPointF m_movedBy;
    NodeId m_pressedNode;
    NodeId m_walked; // the node whose edges walkEdges() goes through
    std::vector<std::size_t> m_moving;
    std::vector<std::size_t> m_movingNotes; // the first is the one that the pointer holds
    std::vector<std::string> m_faults; // for each of the scene's nodes: why the drawn edge cannot lead there
    NodeItem* m_aimed = nullptr; // the node that the drawn edge would lead to, or null
    std::vector<NodeId> m_from; // starts of the drawn edge, or of the edges to the palette's choice
    QPointF m_placeAt;
    bool m_paletteConnects = false; // the palette's entries are targets, not kinds
    std::unique_ptr<QGraphicsPathItem> m_line;
    std::unique_ptr<QGraphicsRectItem> m_band;
};

} // namespace sg::ui
