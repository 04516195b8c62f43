#include "ui/graph/canvas/canvas_actions.h"

#include "ui/graph/canvas/canvas_commands.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/canvas_gestures.h"
#include "ui/graph/canvas/canvas_notes.h"
#include "ui/graph/canvas/canvas_places.h"
#include "ui/graph/canvas/canvas_subgraphs.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/node_adder.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QCursor>

#include <algorithm>

// The editor's commands as actions: names, shortcuts, and when each is enabled.
namespace sg::ui {

QAction* CanvasEditor::make(const QString& text, const char* iconName, const QKeySequence& key,
                            const std::function<void()>& done)
{
    auto* action = new QAction(text, this);
    if (iconName)
        action->setIcon(icon(QLatin1String(iconName)));
    action->setShortcut(key);
    // Letters and Delete are shortcuts only while the canvas has the focus; text fields elsewhere need them.
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, done);
    m_canvas.view.addAction(action);
    return action;
}

void CanvasEditor::createActions()
{
    QUndoStack& steps = m_canvas.document.steps();
    m_actions.undo = make(tr("&Undo"), "undo", QKeySequence::Undo, [&steps] { steps.undo(); });
    m_actions.redo = make(tr("&Redo"), "redo", QKeySequence::Redo, [&steps] { steps.redo(); });
    for (QAction* action : { m_actions.undo, m_actions.redo })
        action->setShortcutContext(Qt::WindowShortcut);
    createEditActions();
    createNodeActions();
    createPlaceActions();
    createSubgraphActions();
    createNoteActions();
    // Queued, because the stack also emits while it is destroyed, after the scene.
    for (auto changed : { &QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged })
        connect(&steps, changed, this, &CanvasEditor::updateActions, Qt::QueuedConnection);
}

void CanvasEditor::createEditActions()
{
    m_actions.cut = make(tr("Cu&t"), nullptr, QKeySequence::Cut, [this] {
        copySelected(m_canvas);
        removeSelected(m_canvas);
    });
    m_actions.copy = make(tr("&Copy"), "copy", QKeySequence::Copy, [this] { copySelected(m_canvas); });
    m_actions.copyPicture =
        make(tr("Copy as pict&ure"), "image", {}, [this] { m_canvas.view.picture().copy(); });
    m_actions.paste =
        make(tr("&Paste"), nullptr, QKeySequence::Paste, [this] { hint(pasteCopied(m_canvas)); });
    m_actions.duplicate = make(tr("&Duplicate"), nullptr, QKeySequence(QStringLiteral("Shift+D")),
                               [this] { duplicateSelected(m_canvas); });
    m_actions.remove =
        make(tr("De&lete"), "trash", QKeySequence::Delete, [this] { removeSelected(m_canvas); });
    m_actions.selectAll =
        make(tr("Select &all"), nullptr, QKeySequence::SelectAll, [this] { selectAllNodes(m_canvas); });
    m_actions.find =
        make(tr("&Find on the canvas"), "search", QKeySequence::Find, [this] { Q_EMIT findRequested(); });
}

void CanvasEditor::createNodeActions()
{
    m_actions.add =
        make(tr("&Add node…"), "plus", QKeySequence(QStringLiteral("A")), [this] { addAtPointer(); });
    m_actions.connect = make(tr("&Connect to…"), "link", QKeySequence(QStringLiteral("C")),
                             [this] { m_adder->popUpTargets(); });
    m_actions.branch = make(tr("Add &branch"), "branch", QKeySequence(QStringLiteral("B")),
                            [this] { addBranchToCurrent(m_canvas); });
    m_actions.rename = make(tr("Re&name"), nullptr, QKeySequence(QStringLiteral("F2")), [this] {
        if (m_canvas.scene.currentNote() == kNoNote)
            Q_EMIT renameRequested();
        else
            writeNote(m_canvas.scene.currentNote());
    });
    // A checkable action toggles itself, even where the edit changed nothing.
    const auto toggle = [this](bool before) {
        toggleBreakpointOfCurrent(m_canvas, before);
        updateActions();
    };
    m_actions.breakBefore =
        make(tr("Pause &before"), "pause", QKeySequence(QStringLiteral("F9")), [toggle] { toggle(true); });
    m_actions.breakAfter = make(tr("Pause a&fter"), nullptr, QKeySequence(QStringLiteral("Shift+F9")),
                                [toggle] { toggle(false); });
    for (QAction* action : { m_actions.breakBefore, m_actions.breakAfter })
        action->setCheckable(true);
    m_actions.nextEdge = make(tr("Ne&xt edge"), nullptr, QKeySequence(QStringLiteral("E")), [this] {
        if (const NodeId current = m_canvas.scene.currentNode(); !current.empty())
            m_walked = current;
        goToNextEdge(m_canvas, m_walked);
    });
}

void CanvasEditor::createPlaceActions()
{
    m_actions.arrange = make(tr("A&rrange"), "grid", QKeySequence(QStringLiteral("Ctrl+Shift+L")), [this] {
        arrangeAll(m_canvas, *m_arranger, [this](const QString& text) { hint(text); });
    });
    m_actions.pin = make(tr("Kee&p its place"), "pin", QKeySequence(QStringLiteral("P")), [this] {
        togglePinOfSelected(m_canvas);
        updateActions();
    });
    m_actions.pin->setCheckable(true);
    m_actions.pin->setToolTip(tr("Arranging leaves it where it is (P)"));
    const std::array<QString, kAlignments> titles{ tr("Align &left"),        tr("Align &right"),
                                                   tr("Align &top"),         tr("Align &bottom"),
                                                   tr("Distribute &across"), tr("Distribute &down") };
    for (std::size_t i = 0; i < kAlignments; ++i)
        m_actions.align[i] =
            make(titles[i], nullptr, {}, [this, i] { alignSelected(m_canvas, static_cast<Alignment>(i)); });
}

void CanvasEditor::createSubgraphActions()
{
    m_actions.inside = make(tr("Open &inside"), "subgraph", QKeySequence(QStringLiteral("Alt+Down")),
                            [this] { goInside(m_canvas); });
    m_actions.showInside = make(tr("Sho&w inside"), "subgraph", QKeySequence(QStringLiteral("I")), [this] {
        toggleInside(m_canvas);
        updateActions();
    });
    m_actions.showInside->setObjectName(QStringLiteral("graph.show-inside")); // its words change
    m_actions.outside =
        make(tr("Back &out"), "up", QKeySequence(QStringLiteral("Alt+Up")), [this] { goOutside(m_canvas); });
    m_actions.extract = make(tr("&Group into a subgraph"), nullptr, QKeySequence(QStringLiteral("Ctrl+G")),
                             [this] { hint(extractSelected(m_canvas)); });
    m_actions.dissolve =
        make(tr("&Dissolve the subgraph"), nullptr, QKeySequence(QStringLiteral("Ctrl+Shift+G")),
             [this] { hint(dissolveCurrent(m_canvas)); });
}

void CanvasEditor::createNoteActions()
{
    m_actions.note = make(tr("Add n&ote"), "text", QKeySequence(QStringLiteral("N")),
                          [this] { addNoteOrFrame(m_canvas, false); });
    m_actions.frame = make(tr("Add f&rame"), nullptr, QKeySequence(QStringLiteral("F")),
                           [this] { addNoteOrFrame(m_canvas, true); });
    m_actions.nextNote = make(tr("Ne&xt note"), nullptr, QKeySequence(QStringLiteral("Shift+N")),
                              [this] { goToNextNote(m_canvas); });
}

// The new node follows the current one, wherever the pointer is.
void CanvasEditor::addAtPointer()
{
    const QWidget& viewport = *m_canvas.view.viewport();
    const QPoint pointer = viewport.mapFromGlobal(QCursor::pos());
    const bool inside = viewport.rect().contains(pointer) && m_canvas.view.underMouse();
    m_adder->popUpKinds(inside && !canLead(m_canvas) ? pointer : QPoint(-1, -1));
}

void CanvasEditor::updateActions()
{
    const bool editable = m_canvas.document.isEditable();
    const GraphScene& scene = m_canvas.scene;
    const QUndoStack& steps = m_canvas.document.steps();
    m_actions.undo->setEnabled(editable && steps.canUndo());
    m_actions.redo->setEnabled(editable && steps.canRedo());
    for (QAction* action : { m_actions.paste, m_actions.add, m_actions.note, m_actions.frame })
        action->setEnabled(editable);
    for (QAction* action : { m_actions.find, m_actions.copyPicture })
        action->setEnabled(!scene.nodes().empty());
    m_actions.nextNote->setEnabled(!scene.notes().empty());
    m_actions.nextEdge->setEnabled(!scene.edges().empty());
    updateNodeActions();
    updatePlaceActions();
}

void CanvasEditor::updateNodeActions()
{
    const bool editable = m_canvas.document.isEditable();
    const GraphScene& scene = m_canvas.scene;
    const graph::Graph& graph = m_canvas.document.graph();
    const NodeId current = scene.currentNode();
    const bool isNode = !withoutTerminals({ current }).empty() && !current.empty();
    const bool anyNode = !withoutTerminals(scene.selectedNodes()).empty(); // the current node may be the end
    const bool isNote = scene.currentNote() != kNoNote;
    m_actions.copy->setEnabled(anyNode);
    for (QAction* action : { m_actions.cut, m_actions.duplicate })
        action->setEnabled(editable && anyNode);
    for (QAction* action : { m_actions.branch, m_actions.connect })
        action->setEnabled(editable && canLead(m_canvas));
    m_actions.rename->setEnabled(editable && (isNode || isNote));
    m_actions.remove->setEnabled(editable && (anyNode || isNote || scene.currentEdge() != kNoEdge));
    for (QAction* action : { m_actions.breakBefore, m_actions.breakAfter })
        action->setEnabled(editable && isNode);
    m_actions.breakBefore->setChecked(isNode && hasBreakpoint(graph, current, Breakpoint::Before));
    m_actions.breakAfter->setChecked(isNode && hasBreakpoint(graph, current, Breakpoint::After));
    const bool isSubgraph = isSubgraphCurrent(m_canvas);
    m_actions.inside->setEnabled(isSubgraph);
    m_actions.showInside->setEnabled(isSubgraph);
    m_actions.showInside->setText(m_canvas.document.isOpen(current) ? tr("Hi&de inside")
                                                                    : tr("Sho&w inside"));
    m_actions.dissolve->setEnabled(editable && isSubgraph);
    m_actions.outside->setEnabled(!m_canvas.document.path().empty());
    m_actions.extract->setEnabled(editable
                                  && std::ranges::any_of(scene.selectedNodes(), [&](const NodeId& id) {
                                         return graph.findNode(id) != nullptr;
                                     }));
}

void CanvasEditor::updatePlaceActions()
{
    const bool editable = m_canvas.document.isEditable();
    const std::size_t selected = m_canvas.scene.selectedNodes().size();
    m_actions.arrange->setEnabled(editable && !m_canvas.document.isEmpty());
    m_actions.pin->setEnabled(editable && selected > 0);
    m_actions.pin->setChecked(isSelectionPinned(m_canvas));
    for (std::size_t i = 0; i < kAlignments; ++i) {
        const bool spreads = i == static_cast<std::size_t>(Alignment::Across)
            || i == static_cast<std::size_t>(Alignment::Down);
        m_actions.align[i]->setEnabled(editable && selected > (spreads ? 2 : 1));
    }
}

} // namespace sg::ui
