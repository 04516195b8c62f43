#include "core/graph/diff.h"
#include "core/graph/node_kinds.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/widgets/empty_state.h"

#include <QPushButton>
#include <QSet>
#include <QStackedLayout>

#include <algorithm>

// What the selected thread did: on the whole graph, inside of the shown subgraph, and on the graph as it was.
namespace sg::ui {
namespace {

constexpr std::size_t kFollowed = 500; // checkpoints of a run that is watched

} // namespace

void CanvasPanel::setHistory(const HistoryRows& history)
{
    if (history.thread != m_history.thread && m_isSkeleton) {
        m_isSkeleton = m_showsThen = false; // of another thread
        showThen();
    }
    m_history = history;
    m_inner = {};
    askInner();
    askSkeleton();
    refresh();
}

// Of a thread to which no checkpoint came what is told is shown already.
void CanvasPanel::askSkeleton()
{
    const qint64 count = std::max(m_history.total, static_cast<qint64>(m_history.checkpoints.size()));
    if (!m_document.isEmpty() || !m_document.path().empty() || m_history.checkpoints.empty()
        || (m_isSkeleton && count == m_skeletonCount))
        return;
    m_skeletonCount = count;
    Q_EMIT skeletonWanted(m_history.thread);
}

void CanvasPanel::setSkeleton(const QString& thread, const graph::Graph& graph)
{
    if (thread != m_history.thread || !m_document.isEmpty() || graph.nodes.empty())
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
    if (history.thread != m_history.thread || path != pathWords())
        return;
    m_inner = history;
    refresh();
}

void CanvasPanel::askInner()
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
    return m_document.path().empty() ? m_history : m_inner;
}

void CanvasPanel::takeCheckpoint()
{
    if (m_selection.checkpoint().isEmpty())
        m_showsThen = m_isSkeleton;
    else if (!m_isSkeleton) // until the answer comes, what is shown stays: a walk through a run does not
                            // flicker
        Q_EMIT graphThenWanted(m_history.thread, m_selection.checkpoint());
    m_inner = {};
    askInner();
    showThen();
    refresh();
}

void CanvasPanel::setGraphThen(const GraphVersion& version)
{
    if (m_isSkeleton || version.thread != m_history.thread || version.checkpoint != m_selection.checkpoint())
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

int CanvasPanel::viewedStep() const
{
    const auto viewed =
        std::ranges::find(m_history.checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    return viewed == m_history.checkpoints.end() ? 0 : viewed->step;
}

void CanvasPanel::addCheckpoints(const QString& thread, const std::vector<CheckpointRow>& added)
{
    if (thread != m_history.thread)
        return;
    for (const CheckpointRow& row : added) {
        auto& rows = m_history.checkpoints;
        const bool isNew = rows.empty() || rows.back().id < row.id; // ids sort by time
        const auto known =
            isNew ? rows.rend() : std::find_if(rows.rbegin(), rows.rend(), [&](const CheckpointRow& other) {
                return other.id == row.id;
            });
        if (known == rows.rend())
            rows.push_back(row);
        else
            *known = row;
    }
    forgetOld();
    askInner();
    refreshSoon();
}

// A run that goes on for long leaves behind what nobody looks at here: the timeline knows it all.
void CanvasPanel::forgetOld()
{
    auto& rows = m_history.checkpoints;
    if (rows.size() <= 2 * kFollowed)
        return;
    rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(kFollowed));
    QSet<QString> kept;
    for (const CheckpointRow& row : rows)
        kept.insert(row.id);
    std::erase_if(m_history.tasks, [&kept](const TaskRow& task) { return !kept.contains(task.checkpoint); });
}

void CanvasPanel::changeTasks(const QString& thread, const std::vector<TaskRow>& changed)
{
    if (thread != m_history.thread)
        return;
    for (const TaskRow& row : changed) {
        auto& rows = m_history.tasks; // what changes stands near the end, and ids sort by time
        auto known = rows.rbegin();
        while (known != rows.rend() && row.checkpoint <= known->checkpoint
               && (known->task != row.task || known->checkpoint != row.checkpoint))
            ++known;
        if (known == rows.rend() || known->task != row.task || known->checkpoint != row.checkpoint)
            rows.push_back(row);
        else
            *known = row;
    }
    askInner();
    refreshSoon();
}

} // namespace sg::ui
