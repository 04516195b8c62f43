#include "core/graph/node_kinds.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/canvas/graph_then.h"
#include "ui/shell/canvas/node_inspection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/widgets/empty_state.h"

#include <QStackedLayout>

#include <algorithm>

// Shows what the selected thread did: on the whole graph, inside of the shown subgraph, and on the graph as
// it was.
namespace sg::ui {

void CanvasPanel::takeHistory(const HistoryChange& change)
{
    if (change.isLive()) {
        readInnerAgain();
        refreshSoon();
        return;
    }
    if (change.kind == HistoryChange::Kind::Cleared && m_then->isSkeleton())
        m_then->hide(); // of another thread
    m_inner.clear();
    readInnerAgain();
    askSkeleton();
    refresh();
    m_view->lookAgain();
}

// A thread without new checkpoints already shows its skeleton, so it is not asked for again.
void CanvasPanel::askSkeleton()
{
    if (m_document.isEmpty() && m_document.path().empty() && m_then->asksFor(m_history.rows()))
        Q_EMIT skeletonWanted(m_history.rows().thread);
}

void CanvasPanel::setSkeleton(const QString& thread, const graph::Graph& graph)
{
    if (thread == m_selection.thread() && m_document.isEmpty() && !graph.nodes.empty()
        && m_then->showSkeleton(graph))
        refresh();
}

// The skeleton is a start for a person who knows the rest: the code of the nodes is in no checkpoint.
void CanvasPanel::adoptSkeleton()
{
    graph::Graph known = m_then->document().graph();
    for (graph::Node& node : known.nodes) {
        node.kind = graph::kPythonKind;
        node.settings = graph::firstSettings(*graph::findNodeKind(node.kind), node.name);
    }
    m_document.edit(tr("Make a graph of the checkpoints"), [&](graph::Graph& graph) {
        graph.nodes = known.nodes;
        graph.edges = known.edges;
        graph.channels = known.channels;
    });
    m_view->setFocus();
}

void CanvasPanel::setInnerHistory(const HistoryRows& history, const QStringList& path)
{
    if (history.thread != m_selection.thread())
        return;
    m_inner.take(history, path);
    refresh();
}

void CanvasPanel::readInnerAgain()
{
    if (!m_inner.paths().isEmpty() && !m_innerSoon.isActive())
        m_innerSoon.start();
}

// A run inside of a subgraph has a history of its own.
const HistoryRows& CanvasPanel::shownHistory() const
{
    return m_document.path().empty() ? m_history.rows() : m_inner.entered();
}

const CheckpointRow* CanvasPanel::viewed() const
{
    const auto& rows = m_history.rows().checkpoints;
    const auto found = std::ranges::find(rows, m_selection.checkpoint(), &CheckpointRow::id);
    return found == rows.end() ? nullptr : &*found;
}

void CanvasPanel::takeCheckpoint()
{
    if (!m_then->isSkeleton()) {
        if (m_selection.checkpoint().isEmpty())
            m_then->hide();
        else // until the answer comes, what is shown stays: a walk through a run does not flicker
            Q_EMIT graphThenWanted(m_selection.thread(), m_selection.checkpoint());
    }
    m_inner.clear();
    readInnerAgain();
    refresh();
}

void CanvasPanel::setGraphThen(const GraphVersion& version)
{
    if (m_then->isSkeleton() || version.thread != m_selection.thread()
        || version.checkpoint != m_selection.checkpoint())
        return;
    m_then->showVersion(version.text, m_document);
    refresh();
}

void CanvasPanel::showThen()
{
    GraphView& then = m_then->view();
    const bool isShown = m_then->isShown();
    const bool hadFocus = m_view->hasFocus() || then.hasFocus();
    then.setVisible(isShown);
    m_view->setVisible(!isShown);
    GraphView* shown = isShown ? &then : m_view;
    m_stack->setCurrentWidget(shown);
    if (hadFocus)
        shown->setFocus();
    if (isShown)
        m_empty->hide();
    else
        showEmpty();
}

void CanvasPanel::setPreview(const Preview& preview)
{
    m_preview = preview;
    refresh();
}

// A node that would run looks as if it waited for its turn.
void CanvasPanel::addPreview(NodeStates& states) const
{
    const auto show = [&states](const QStringList& nodes, StateKind kind, const QString& words) {
        for (const QString& node : nodes) {
            NodeState& state = states[NodeId(node.toStdString())];
            state.kind = kind;
            state.secondLine = words;
            state.note.clear();
        }
    };
    show(m_preview.reused, StateKind::Cached, tr("Reused"));
    show(m_preview.runs, StateKind::Queued, tr("Will run"));
    show(m_preview.asks, StateKind::Queued, tr("Will ask you"));
}

void CanvasPanel::setState(const StateView& state)
{
    m_inspection->setState(state);
    inspect();
}

} // namespace sg::ui
