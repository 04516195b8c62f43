#include "ui/graph/canvas/canvas_editor.h"

#include "ui/graph/canvas/arranger.h"
#include "ui/graph/canvas/canvas_gestures.h"
#include "ui/graph/canvas/canvas_notes.h"
#include "ui/graph/canvas/canvas_places.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/node_adder.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QFileInfo>
#include <QGraphicsItem>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

#include <algorithm>

// Events and menus; the commands as actions are in canvas_actions.cpp.
namespace sg::ui {
namespace {

// A single local file that holds data: a graph's own file is opened, not read.
QString dataFileIn(const QMimeData& data)
{
    static const QStringList kEndings{
        QStringLiteral("csv"),  QStringLiteral("tsv"),   QStringLiteral("parquet"), QStringLiteral("arrow"),
        QStringLiteral("json"), QStringLiteral("jsonl"), QStringLiteral("txt"),     QStringLiteral("md"),
        QStringLiteral("png"),  QStringLiteral("jpg"),   QStringLiteral("jpeg"),    QStringLiteral("gif"),
        QStringLiteral("webp"), QStringLiteral("svg"),   QStringLiteral("xlsx")
    };
    const QList<QUrl> urls = data.urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return {};
    const QFileInfo file(urls.front().toLocalFile());
    const bool isGraph = file.fileName().endsWith(QLatin1String(".graph.json"));
    return file.isFile() && !isGraph && kEndings.contains(file.suffix().toLower()) ? file.filePath()
                                                                                   : QString();
}

} // namespace

CanvasEditor::CanvasEditor(GraphView& view, GraphDocument& document)
    : QObject(&view)
    , m_canvas{ view, document, view.graphScene() }
    , m_arranger(new Arranger(this))
    , m_adder(new NodeAdder(m_canvas, this))
{
    createActions();
    connect(m_adder, &NodeAdder::hinted, this, &CanvasEditor::hinted);
    connectScene();
    updateActions();
}

CanvasEditor::~CanvasEditor() = default;

void CanvasEditor::connectScene()
{
    const GraphScene* scene = &m_canvas.scene;
    connect(scene, &GraphScene::selectedNodesChanged, this, &CanvasEditor::updateActions);
    connect(scene, &GraphScene::currentEdgeChanged, this, &CanvasEditor::updateActions);
    connect(scene, &GraphScene::currentNoteChanged, this, &CanvasEditor::updateActions);
    connect(scene, &GraphScene::aboutToRebuild, this, &CanvasEditor::forgetGesture);
    connect(scene, &GraphScene::edited, this, &CanvasEditor::forgetGesture);
    connect(scene, &GraphScene::edited, this, &CanvasEditor::updateActions);
    connect(scene, &GraphScene::rebuilt, this, &CanvasEditor::updateActions);
    connect(&m_canvas.document, &GraphDocument::pathChanged, this, &CanvasEditor::updateActions);
}

void CanvasEditor::hint(const QString& text)
{
    if (!text.isEmpty())
        Q_EMIT hinted(text);
}

bool CanvasEditor::pressed(const QMouseEvent& event)
{
    if (!m_canvas.document.isEditable() || event.button() != Qt::LeftButton)
        return false;
    const QPoint place = event.position().toPoint();
    const QPointF at = m_canvas.view.mapToScene(place);
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    m_gesture.reset();
    const NodeItem* node = nodeAt(m_canvas, at);
    if (!node) {
        if (shift) {
            m_gesture = bandFrom(m_canvas, at);
            return true;
        }
        selectEdgeAt(m_canvas, place);
        if (m_canvas.scene.currentEdge() != kNoEdge)
            return true;
        m_gesture = gestureOnNote(m_canvas, at);
        if (!m_gesture)
            m_canvas.scene.setCurrentNote(kNoNote);
        return m_gesture != nullptr;
    }
    const NodeId id = node->node().id;
    if (isOnPort(m_canvas, at, *node)) {
        m_gesture = edgeFromPort(id, at);
        return true;
    }
    const bool isSelected = node->isSelected();
    if (shift) {
        std::vector<NodeId> selected = m_canvas.scene.selectedNodes();
        std::erase(selected, id);
        if (!isSelected)
            selected.push_back(id);
        m_canvas.scene.setSelectedNodes(selected);
        return true;
    }
    if (!isSelected)
        m_canvas.scene.setCurrentNode(id);
    m_gesture = moveOfNodes(m_canvas, id, at);
    return true;
}

std::unique_ptr<Gesture> CanvasEditor::edgeFromPort(const NodeId& node, const QPointF& at)
{
    const auto onGround = [this](const QPointF& end, const std::vector<NodeId>& from,
                                 std::unique_ptr<QGraphicsItem> line) {
        m_adder->popUpKinds(m_canvas.view.mapFromScene(end), from, std::move(line));
    };
    return edgeFrom(m_canvas, startsAt(m_canvas, node), at,
                    { [this](const QString& why) { Q_EMIT hinted(why); }, onGround });
}

bool CanvasEditor::moved(const QMouseEvent& event)
{
    if (!m_gesture)
        return false;
    m_gesture->move(m_canvas.view.mapToScene(event.position().toPoint()),
                    !event.modifiers().testFlag(Qt::AltModifier));
    return true;
}

bool CanvasEditor::released(const QMouseEvent& event)
{
    const auto gesture = std::move(m_gesture); // the edit that it makes forgets gestures
    if (!gesture)
        return false;
    gesture->release(m_canvas.view.mapToScene(event.position().toPoint()));
    return true;
}

void CanvasEditor::forgetGesture()
{
    m_gesture.reset();
    m_adder->dropLine();
}

bool CanvasEditor::doubleClicked(const QMouseEvent& event)
{
    const QPointF at = m_canvas.view.mapToScene(event.position().toPoint());
    if (!m_canvas.document.isEditable() || event.button() != Qt::LeftButton || nodeAt(m_canvas, at))
        return false;
    if (const std::size_t note = noteAt(m_canvas, at); note != kNoNote)
        writeNote(note);
    else
        m_adder->popUpKinds(event.position().toPoint());
    return true;
}

bool CanvasEditor::keyPressed(const QKeyEvent& event)
{
    return m_canvas.document.isEditable() && takesKey(event.key(), event.modifiers());
}

bool CanvasEditor::takesKey(int key, Qt::KeyboardModifiers modifiers)
{
    const GraphScene& scene = m_canvas.scene;
    const bool isNote = scene.currentNote() != kNoNote;
    if (key == Qt::Key_Escape)
        return leaveSelected();
    if (modifiers == Qt::NoModifier && (key == Qt::Key_Tab || key == Qt::Key_Backspace)) {
        (key == Qt::Key_Tab ? m_actions.add : m_actions.remove)->trigger();
        return true;
    }
    if (isNote && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        writeNote(scene.currentNote());
        return true;
    }
    if ((modifiers & ~Qt::KeypadModifier) != Qt::ControlModifier
        || (!isNote && scene.selectedNodes().empty()))
        return false;
    const auto by = [&]() -> QPointF {
        switch (key) {
        case Qt::Key_Left: return { -kCanvasGrid, 0 };
        case Qt::Key_Right: return { kCanvasGrid, 0 };
        case Qt::Key_Up: return { 0, -kCanvasGrid };
        case Qt::Key_Down: return { 0, kCanvasGrid };
        default: return {};
        }
    }();
    if (by.isNull())
        return false;
    if (isNote)
        nudgeCurrentNote(m_canvas, by);
    else
        nudgeSelected(m_canvas, by);
    return true;
}

bool CanvasEditor::leaveSelected()
{
    GraphScene& scene = m_canvas.scene;
    if (m_gesture) {
        m_gesture->cancel();
        forgetGesture();
    } else if (scene.currentEdge() != kNoEdge) {
        scene.setCurrentEdge(kNoEdge);
        scene.setCurrentNode(scene.findNode(m_walked) ? m_walked : NodeId());
    } else if (scene.currentNote() != kNoNote) {
        scene.setCurrentNote(kNoNote);
    } else {
        return false;
    }
    return true;
}

void CanvasEditor::addNodeOfKind(const QString& kind)
{
    m_adder->add(kind);
}

void CanvasEditor::writeNote(std::size_t index)
{
    writeNoteAt(m_canvas, index);
}

bool CanvasEditor::takes(const QMimeData& data) const
{
    return m_adder->takes(data) || (m_canvas.document.isEditable() && !dataFileIn(data).isEmpty());
}

bool CanvasEditor::takesAt(const QMimeData& data, const QPoint& at)
{
    const QString file = m_canvas.document.isEditable() ? dataFileIn(data) : QString();
    if (file.isEmpty())
        return m_adder->takes(data);
    const NodeItem* node = nodeAt(m_canvas, m_canvas.view.mapToScene(at));
    if (node == nullptr || node->node().kind != DrawnNode::Kind::Card) {
        hint(tr("Drop the file on the node that shall have it."));
        return false;
    }
    m_canvas.scene.setCurrentNode(node->node().id);
    hint(tr("Drop %1 on %2, and choose what it is there.").arg(QFileInfo(file).fileName(), node->title()));
    return true;
}

bool CanvasEditor::dropped(const QMimeData& data, const QPoint& at)
{
    if (m_adder->takes(data))
        return m_adder->drop(data, at);
    if (!takesAt(data, at))
        return false;
    Q_EMIT fileDropped(m_canvas.scene.currentNode(), dataFileIn(data),
                       m_canvas.view.viewport()->mapToGlobal(at));
    return true;
}

void CanvasEditor::showMenu(const QPoint& viewportPos)
{
    if (!m_canvas.document.isEditable())
        return;
    GraphScene& scene = m_canvas.scene;
    QPoint at = viewportPos;
    if (at.x() >= 0) {
        const NodeItem* node = nodeAt(m_canvas, m_canvas.view.mapToScene(at));
        if (node && !node->isSelected())
            scene.setCurrentNode(node->node().id);
        else if (!node)
            selectGroundAt(m_canvas, at);
    } else if (const NodeItem* node = scene.findNode(scene.currentNode())) {
        at = m_canvas.view.mapFromScene(node->card().bottomLeft());
    }
    QMenu menu(&m_canvas.view);
    if (!scene.currentNode().empty())
        fillNodeMenu(menu);
    else
        fillGroundMenu(menu, at);
    menu.exec(m_canvas.view.viewport()->mapToGlobal(at));
}

void CanvasEditor::fillNodeMenu(QMenu& menu)
{
    menu.addActions({ m_actions.connect, m_actions.branch, m_actions.rename });
    menu.addSeparator();
    menu.addActions(m_nodeVerbs);
    if (!m_nodeVerbs.isEmpty())
        menu.addSeparator();
    menu.addActions({ m_actions.breakBefore, m_actions.breakAfter, m_actions.pin });
    menu.addSeparator();
    menu.addActions({ m_actions.cut, m_actions.copy, m_actions.duplicate, m_actions.remove });
    if (m_canvas.scene.selectedNodes().size() > 1) {
        menu.addSeparator();
        QMenu* align = menu.addMenu(tr("Ali&gn"));
        for (QAction* action : m_actions.align)
            align->addAction(action);
    }
    menu.addSeparator();
    if (m_actions.inside->isEnabled())
        menu.addActions({ m_actions.inside, m_actions.showInside, m_actions.dissolve });
    menu.addActions({ m_actions.extract, m_actions.frame });
}

// Fills the menu of an edge, a note or empty ground. Popups open after it closes.
void CanvasEditor::fillGroundMenu(QMenu& menu, const QPoint& at)
{
    if (m_canvas.scene.currentEdge() != kNoEdge) {
        menu.addAction(m_actions.remove);
    } else if (m_canvas.scene.currentNote() != kNoNote) {
        QAction* write = menu.addAction(tr("&Write"));
        connect(
            write, &QAction::triggered, this, [this] { writeNote(m_canvas.scene.currentNote()); },
            Qt::QueuedConnection);
        menu.addAction(m_actions.remove);
    } else {
        QAction* add = menu.addAction(icon(QLatin1String("plus")), tr("Add node…"));
        connect(
            add, &QAction::triggered, this, [this, at] { m_adder->popUpKinds(at); }, Qt::QueuedConnection);
        menu.addActions({ m_actions.note, m_actions.frame });
        menu.addSeparator();
        menu.addActions({ m_actions.paste, m_actions.selectAll, m_actions.arrange, m_actions.copyPicture });
    }
}

} // namespace sg::ui
