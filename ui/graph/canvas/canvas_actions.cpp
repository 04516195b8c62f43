#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_clipboard.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QCursor>

#include <algorithm>

// The editor's commands as actions: names, shortcuts, and when each is enabled.
namespace sg::ui {
namespace {

constexpr double kGrid = 20;
constexpr double kRow = 80;

bool isTerminal(const NodeId& id)
{
    return id.value == graph::kStart || id.value == graph::kEnd;
}

} // namespace

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
    m_view.addAction(action);
    return action;
}

void CanvasEditor::createActions()
{
    QUndoStack& steps = m_document.steps();
    m_actions.undo = make(tr("&Undo"), "undo", QKeySequence::Undo, [&steps] { steps.undo(); });
    m_actions.redo = make(tr("&Redo"), "redo", QKeySequence::Redo, [&steps] { steps.redo(); });
    for (QAction* action : { m_actions.undo, m_actions.redo })
        action->setShortcutContext(Qt::WindowShortcut);
    createClipboardActions();
    createNodeActions();
    createPlaceActions();
    createSubgraphActions();
    createNoteActions();
    // Queued, because the stack also emits while it is destroyed, after the scene.
    for (auto changed : { &QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged })
        connect(&steps, changed, this, &CanvasEditor::updateActions, Qt::QueuedConnection);
}

void CanvasEditor::createClipboardActions()
{
    m_actions.cut = make(tr("Cu&t"), nullptr, QKeySequence::Cut, [this] {
        copySelected();
        removeSelected();
    });
    m_actions.copy = make(tr("&Copy"), "copy", QKeySequence::Copy, [this] { copySelected(); });
    m_actions.paste = make(tr("&Paste"), nullptr, QKeySequence::Paste, [this] { paste(); });
    m_actions.duplicate = make(tr("&Duplicate"), nullptr, QKeySequence(QStringLiteral("Shift+D")), [this] {
        std::vector<NodeId> copies;
        m_document.editPlaced(tr("Duplicate"), [&](graph::Graph& graph) {
            copies = duplicateNodes(graph, m_scene.selectedNodes(), { kGrid * 2, kRow });
        });
        if (!copies.empty())
            m_scene.setSelectedNodes(copies);
    });
    m_actions.remove = make(tr("De&lete"), "trash", QKeySequence::Delete, [this] { removeSelected(); });
    m_actions.selectAll = make(tr("Select &all"), nullptr, QKeySequence::SelectAll, [this] {
        std::vector<NodeId> all;
        for (const NodeItem* node : m_scene.nodes())
            all.push_back(node->node().id);
        m_scene.setSelectedNodes(all);
    });
}

void CanvasEditor::createNodeActions()
{
    m_actions.add = make(tr("&Add node…"), "plus", QKeySequence(QStringLiteral("A")), [this] {
        const QPoint pointer = m_view.viewport()->mapFromGlobal(QCursor::pos());
        const bool inside = m_view.viewport()->rect().contains(pointer) && m_view.underMouse();
        const NodeId current = m_scene.currentNode(); // the new node follows it, wherever the pointer is
        const bool follows = !current.empty() && current.value != graph::kEnd;
        popUpKinds(inside && !follows ? pointer : QPoint(-1, -1), {});
    });
    m_actions.connect =
        make(tr("&Connect to…"), "link", QKeySequence(QStringLiteral("C")), [this] { popUpTargets(); });
    m_actions.branch = make(tr("Add &branch"), "branch", QKeySequence(QStringLiteral("B")), [this] {
        const NodeId from = m_scene.currentNode();
        m_document.editPlaced(tr("Add branch"), [&](graph::Graph& graph) { addBranch(graph, from); });
    });
    m_actions.rename = make(tr("Re&name"), nullptr, QKeySequence(QStringLiteral("F2")), [this] {
        if (m_scene.currentNote() == kNoNote)
            Q_EMIT renameRequested();
        else
            writeNote(m_scene.currentNote());
    });
    m_actions.breakBefore =
        make(tr("Pause &before"), "pause", QKeySequence(QStringLiteral("F9")), [this] { toggle(true); });
    m_actions.breakAfter = make(tr("Pause a&fter"), nullptr, QKeySequence(QStringLiteral("Shift+F9")),
                                [this] { toggle(false); });
    m_actions.find =
        make(tr("&Find on the canvas"), "search", QKeySequence::Find, [this] { Q_EMIT findRequested(); });
    m_actions.nextEdge =
        make(tr("Ne&xt edge"), nullptr, QKeySequence(QStringLiteral("E")), [this] { walkEdges(); });
    for (QAction* action : { m_actions.breakBefore, m_actions.breakAfter })
        action->setCheckable(true);
}

void CanvasEditor::updateActions()
{
    const bool editable = m_document.isEditable();
    const NodeId current = m_scene.currentNode();
    const bool isNode = !current.empty() && !isTerminal(current);
    const std::vector<NodeId> selected = m_scene.selectedNodes();
    const bool anyNode = !std::ranges::all_of(selected, isTerminal); // the current node may be the end
    const QUndoStack& steps = m_document.steps();
    m_actions.undo->setEnabled(editable && steps.canUndo());
    m_actions.redo->setEnabled(editable && steps.canRedo());
    m_actions.copy->setEnabled(anyNode);
    const bool isNote = m_scene.currentNote() != kNoNote;
    for (QAction* action : { m_actions.paste, m_actions.add, m_actions.note, m_actions.frame })
        action->setEnabled(editable);
    m_actions.find->setEnabled(!m_scene.nodes().empty());
    for (QAction* action : { m_actions.cut, m_actions.duplicate })
        action->setEnabled(editable && anyNode);
    m_actions.branch->setEnabled(editable && !current.empty() && current.value != graph::kEnd);
    for (QAction* action : { m_actions.breakBefore, m_actions.breakAfter })
        action->setEnabled(editable && isNode);
    m_actions.rename->setEnabled(editable && (isNode || isNote));
    m_actions.nextNote->setEnabled(!m_scene.notes().empty());
    m_actions.remove->setEnabled(editable && (anyNode || isNote || m_scene.currentEdge() != kNoEdge));
    m_actions.connect->setEnabled(editable && !current.empty() && current.value != graph::kEnd);
    m_actions.nextEdge->setEnabled(!m_scene.edges().empty());
    updatePlaceActions();
    updateSubgraphActions();
    m_actions.breakBefore->setChecked(isNode
                                      && hasBreakpoint(m_document.graph(), current, Breakpoint::Before));
    m_actions.breakAfter->setChecked(isNode && hasBreakpoint(m_document.graph(), current, Breakpoint::After));
}

} // namespace sg::ui
