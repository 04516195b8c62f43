#include "core/graph/diff.h"
#include "core/graph/node_kinds.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/canvas_panel.h"
#include "ui/widgets/empty_state.h"

#include <QPushButton>
#include <QStackedLayout>

#include <algorithm>

// What the selected thread did: on the whole graph, inside of the shown subgraph, and on the graph as it was.
namespace sg::ui {
void CanvasPanel::takeHistory(const HistoryChange& change)
{
    if (change.isLive()) {
        readInnerAgain();
        refreshSoon();
        return;
    }
    if (change.kind == HistoryChange::Kind::Cleared && m_isSkeleton) {
        m_isSkeleton = m_showsThen = false; // of another thread
        showThen();
    }
    m_inner = {};
    readInnerAgain();
    askSkeleton();
    refresh();
    m_view->lookAgain();
}

// Of a thread to which no checkpoint came what is told is shown already.
void CanvasPanel::askSkeleton()
{
    const HistoryRows& rows = m_history.rows();
    const qint64 count = std::max(rows.total, static_cast<qint64>(rows.checkpoints.size()));
    if (!m_document.isEmpty() || !m_document.path().empty() || rows.checkpoints.empty()
        || (m_isSkeleton && count == m_skeletonCount))
        return;
    m_skeletonCount = count;
    Q_EMIT skeletonWanted(rows.thread);
}

void CanvasPanel::setSkeleton(const QString& thread, const graph::Graph& graph)
{
    if (thread != m_selection.thread() || !m_document.isEmpty() || graph.nodes.empty())
        return;
    if (m_isSkeleton && graph == m_then.whole())
        return; // another look at it: zoom and place stay
    const bool isFirst = !m_isSkeleton;
    m_then.setGraph(graph);
    m_thenText.clear();
    m_isSkeleton = m_showsThen = true;
    m_thenView->setAccessibleName(tr("Graph canvas, as the checkpoints tell it"));
    showThen();
    if (isFirst)
        m_thenView->fitAll();
    refresh();
}

void CanvasPanel::dropSkeleton()
{
    if (!m_isSkeleton || m_document.isEmpty())
        return;
    m_isSkeleton = m_showsThen = false;
    m_thenView->setAccessibleName(tr("Graph canvas, as it was"));
    showThen();
}

// A start for one who knows the rest: what runs in the nodes is in no checkpoint.
void CanvasPanel::adoptSkeleton()
{
    graph::Graph known = m_then.graph();
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
    if (history.thread != m_selection.thread() || path != pathWords())
        return;
    m_inner = history;
    refresh();
}

void CanvasPanel::readInnerAgain()
{
    if (!m_document.path().empty() && !m_innerSoon.isActive())
        m_innerSoon.start();
}

QStringList CanvasPanel::pathWords() const
{
    QStringList words;
    for (const NodeId& id : m_document.path())
        words << QString::fromStdString(id.value);
    return words;
}

// What ran inside of a subgraph has a history of its own.
const HistoryRows& CanvasPanel::shownHistory() const
{
    return m_document.path().empty() ? m_history.rows() : m_inner;
}

void CanvasPanel::takeCheckpoint()
{
    if (m_selection.checkpoint().isEmpty())
        m_showsThen = m_isSkeleton;
    else if (!m_isSkeleton) // until the answer comes, what is shown stays: a walk through a run does not
                            // flicker
        Q_EMIT graphThenWanted(m_selection.thread(), m_selection.checkpoint());
    m_inner = {};
    readInnerAgain();
    showThen();
    refresh();
}

void CanvasPanel::setGraphThen(const GraphVersion& version)
{
    if (m_isSkeleton || version.thread != m_selection.thread()
        || version.checkpoint != m_selection.checkpoint())
        return;
    auto read = graph::parseGraph(version.text);
    const auto found = read && !read->hasErrors() ? graph::differences(read->graph, m_document.whole())
                                                  : std::vector<graph::Difference>();
    m_showsThen = std::ranges::any_of(found, &graph::Difference::countsAtRun);
    if (m_showsThen && (m_then.isEmpty() || version.text != m_thenText)) {
        m_thenText = version.text;
        m_then.setGraph(read->graph);
        m_then.goTo(m_document.path());
    }
    showThen();
    refresh();
}

void CanvasPanel::showThen()
{
    const bool hadFocus = m_view->hasFocus() || m_thenView->hasFocus();
    m_compare->setVisible(m_showsThen && !m_isSkeleton);
    m_adopt->setVisible(m_isSkeleton && m_document.isEditable());
    m_thenView->setVisible(m_showsThen);
    m_view->setVisible(!m_showsThen);
    GraphView* shown = m_showsThen ? m_thenView : m_view;
    m_stack->setCurrentWidget(shown);
    if (hadFocus)
        shown->setFocus();
    if (m_showsThen)
        m_empty->hide();
    else
        showEmpty();
    if (!m_showsThen && !m_then.isEmpty())
        m_then.setGraph({});
}

void CanvasPanel::setPreview(const Preview& preview)
{
    m_preview = preview;
    refresh();
}

// What would run looks as if it waited for its turn.
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
    m_stateOf = state.thread == m_selection.thread() ? state.checkpoint : QString();
    m_stateValues = state.values;
    inspect();
}

int CanvasPanel::viewedStep() const
{
    const auto viewed =
        std::ranges::find(m_history.rows().checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    return viewed == m_history.rows().checkpoints.end() ? 0 : viewed->step;
}

} // namespace sg::ui
