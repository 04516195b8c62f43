#include "ui/graph/graph_panel.h"

#include "ui/graph/graph_view.h"
#include "ui/graph/run_view.h"
#include "ui/selection/selection.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/time_format.h"

#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <charconv>

namespace sg::ui {

namespace {

// "/nodes/3/jq" → 3; nothing for other pointers.
std::optional<std::size_t> indexIn(std::string_view pointer, std::string_view list)
{
    if (!pointer.starts_with(list))
        return std::nullopt;
    pointer.remove_prefix(list.size());
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), index);
    return error == std::errc() && end != pointer.data() ? std::optional(index) : std::nullopt;
}

// The node that a problem is about, where it is about one.
NodeId nodeOf(const graph::Problem& problem, const graph::Graph& graph)
{
    if (const auto index = indexIn(problem.pointer, "/nodes/"); index && *index < graph.nodes.size())
        return graph.nodes[*index].name;
    if (const auto index = indexIn(problem.pointer, "/branches/"); index && *index < graph.branches.size())
        return graph.branches[*index].from;
    if (const auto index = indexIn(problem.pointer, "/edges/"); index && *index < graph.edges.size())
        return graph.edges[*index].from.empty() ? NodeId() : graph.edges[*index].from.front();
    return {};
}

bool names(const std::vector<std::string>& list, const NodeId& node)
{
    return std::find(list.begin(), list.end(), node.value) != list.end()
        || std::find(list.begin(), list.end(), "*") != list.end();
}

QString listed(const QStringList& nodes)
{
    return nodes.isEmpty() ? QStringLiteral("–") : nodes.join(QStringLiteral(", "));
}

} // namespace

GraphPanel::GraphPanel(Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_scene(m_document)
    , m_banner(new Banner(this))
    , m_stack(new QStackedLayout)
    , m_view(new GraphView(m_scene, this))
    , m_empty(new EmptyState(QLatin1String("graph"), tr("No graph is open."), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banner);
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    setFocusProxy(m_view);
    QPushButton* back = m_banner->addButton(tr("Return to head"));
    back->setToolTip(tr("Show the newest checkpoint and follow the run"));
    connect(back, &QPushButton::clicked, &m_selection, &Selection::returnToHead);

    connect(&m_selection, &Selection::checkpointChanged, this, &GraphPanel::refresh);
    connect(&m_selection, &Selection::threadChanged, this, [this](const QString& thread) {
        if (thread != m_history.thread)
            setHistory({ thread, {}, {} });
    });
    connect(&m_selection, &Selection::nodeChanged, this, [this](const QString& node) {
        m_scene.setCurrentNode(NodeId(node.toStdString()));
        m_view->reveal(NodeId(node.toStdString()));
    });
    connect(&m_scene, &GraphScene::currentNodeChanged, &m_selection, &Selection::setNode);
    connect(m_view, &GraphView::nodeActivated, this, &GraphPanel::nodeActivated);
}

void GraphPanel::setGraph(const graph::Graph& graph, const std::vector<graph::Problem>& problems)
{
    m_problems = problems;
    m_document.setGraph(graph);
    m_empty->setSentence(tr("This graph has no nodes yet."));
    m_stack->setCurrentWidget(m_document.isEmpty() ? static_cast<QWidget*>(m_empty) : m_view);
    refresh();
}

void GraphPanel::clear()
{
    setGraph({}, {});
    m_empty->setSentence(tr("No graph is open."));
    setHistory({});
}

void GraphPanel::setHistory(const HistoryRows& history)
{
    m_history = history;
    refresh();
}

void GraphPanel::addCheckpoints(const QString& thread, const std::vector<CheckpointRow>& added)
{
    if (thread != m_history.thread)
        return;
    for (const CheckpointRow& row : added) {
        auto& rows = m_history.checkpoints;
        const auto known = std::find_if(rows.rbegin(), rows.rend(),
                                        [&](const CheckpointRow& other) { return other.id == row.id; });
        if (known == rows.rend())
            rows.push_back(row);
        else
            *known = row;
    }
    refresh();
}

void GraphPanel::changeTasks(const QString& thread, const std::vector<TaskRow>& changed)
{
    if (thread != m_history.thread)
        return;
    for (const TaskRow& row : changed) {
        auto& rows = m_history.tasks;
        // A task that is tried again after a failed run has its id again; what changes is near the end.
        const auto known = std::find_if(rows.rbegin(), rows.rend(), [&](const TaskRow& other) {
            return other.task == row.task && other.checkpoint == row.checkpoint;
        });
        if (known == rows.rend())
            rows.push_back(row);
        else
            *known = row;
    }
    refresh();
}

void GraphPanel::refresh()
{
    RunView run = runViewAt(m_document.drawing(), m_history, m_selection.checkpoint());
    addMarks(run.nodes);
    m_scene.setNodeStates(run.nodes);
    m_scene.setEdgeStates(run.edges);
    showBanner();
}

void GraphPanel::addMarks(NodeStates& states) const
{
    const graph::Graph& graph = m_document.graph();
    for (const graph::Node& node : graph.nodes) {
        if (names(graph.interruptBefore, node.name))
            states[node.name].breakpointBefore = true;
        if (names(graph.interruptAfter, node.name))
            states[node.name].breakpointAfter = true;
    }
    for (const graph::Problem& problem : m_problems) {
        const NodeId id = nodeOf(problem, graph);
        if (id.empty())
            continue;
        NodeState& state = states[id];
        const bool warning = problem.severity == graph::Problem::Severity::Warning;
        // The first error stands before any warning.
        if (!state.problem.isEmpty() && (warning || !state.problemIsWarning))
            continue;
        state.problem = QString::fromStdString(problem.message);
        state.problemIsWarning = warning;
    }
}

void GraphPanel::showBanner()
{
    const auto& rows = m_history.checkpoints;
    const auto viewed = std::find_if(rows.begin(), rows.end(), [&](const CheckpointRow& row) {
        return row.id == m_selection.checkpoint();
    });
    const bool past = viewed != rows.end();
    m_view->setViewingPast(past);
    if (!past) {
        m_banner->hide();
        return;
    }
    m_banner->showMessage(Banner::Kind::Viewing,
                          tr("**Viewing step %1**  after %2 → %3  %4")
                              .arg(QString::number(viewed->step), listed(viewed->after), listed(viewed->next),
                                   formatClockMs(viewed->timeMs)));
}

} // namespace sg::ui
