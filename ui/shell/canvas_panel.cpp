#include "ui/shell/canvas_panel.h"

#include "ui/code/code_editor.h"
#include "ui/graph/breadcrumb.h"
#include "ui/graph/canvas_editor.h"
#include "ui/graph/graph_view.h"
#include "ui/graph/inspector.h"
#include "ui/graph/node_marks.h"
#include "ui/graph/run_view.h"
#include "ui/selection/selection.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/time_format.h"

#include <QAction>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

QString listed(const QStringList& nodes)
{
    return nodes.isEmpty() ? QStringLiteral("–") : nodes.join(QStringLiteral(", "));
}

} // namespace

CanvasPanel::CanvasPanel(Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_scene(m_document)
    , m_banner(new Banner(this))
    , m_breadcrumb(new Breadcrumb(this))
    , m_view(new GraphView(m_scene, this))
    , m_empty(new EmptyState(QLatin1String("graph"), QString(), this))
    , m_stack(new QStackedLayout)
    , m_inspector(new Inspector(m_document, this))
    , m_code(new CodeEditor(m_document, m_inspector))
{
    m_inspector->setCode(m_code);
    m_inspector->setCodeVisible(false);
    connect(m_code, &CodeEditor::shownChanged, this,
            [this] { m_inspector->setCodeVisible(m_code->hasCode()); });
    m_view->setObjectName(QStringLiteral("canvas"));
    m_document.setEditable(true);
    CanvasEditor& editor = m_view->makeEditable(m_document);
    connect(&m_document, &GraphDocument::graphEdited, this, [this] {
        showEmpty();
        refresh();
    });
    connect(&editor, &CanvasEditor::renameRequested, this, [this] {
        Q_EMIT renameRequested();
        m_inspector->focusName();
    });
    connect(m_inspector, &Inspector::renamed, &m_selection, &Selection::setNode);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_breadcrumb);
    column->addWidget(m_banner);
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_stack->setStackingMode(QStackedLayout::StackAll); // the canvas stays below, with its keys
    m_empty->hide();
    setFocusProxy(m_view);
    connect(m_banner->addButton(tr("Return to head")), &QPushButton::clicked, &m_selection,
            &Selection::returnToHead);
    connect(&m_selection, &Selection::checkpointChanged, this, &CanvasPanel::refresh);
    connect(&m_selection, &Selection::nodeChanged, this, [this](const QString& node) {
        m_scene.setCurrentNode(NodeId(node.toStdString()));
        m_view->reveal(NodeId(node.toStdString()));
        inspect();
    });
    connect(m_view, &GraphView::nodeActivated, this, &CanvasPanel::activate);
    connect(&m_document, &GraphDocument::pathChanged, this, &CanvasPanel::showPath);
    connect(m_breadcrumb, &Breadcrumb::chosen, this, [this](std::size_t depth) {
        std::vector<NodeId> path = m_document.path();
        path.resize(std::min(depth, path.size()));
        m_document.goTo(path);
        m_view->setFocus();
    });
    connect(&m_scene, &GraphScene::currentNodeChanged, &m_selection, &Selection::setNode);
}

void CanvasPanel::setGraph(const ProjectInfo& info)
{
    m_folder = info.folder;
    m_name = info.graphName;
    m_document.setEditable(info.editFault.isEmpty() && !info.isReadOnly);
    m_document.setGraph(info.graph);
    setProblems(info.problems);
    m_breadcrumb->setPath(m_name, m_document.path());
    const bool editable = info.editFault.isEmpty() && !info.isReadOnly;
    m_empty->setSentence(info.isReadOnly ? tr("This file holds checkpoints alone: their graph is not in it.")
                             : editable
                             ? tr("Press `Tab` to add a node.")
                             : tr("The graph file cannot be read.\nMend it: it is taken up as you save."));
    QPushButton* add = m_empty->setButton(tr("Add node"));
    add->setVisible(editable);
    connect(add, &QPushButton::clicked, m_view->editor()->actions().add, &QAction::trigger,
            Qt::UniqueConnection);
    showEmpty();
    refresh();
}

void CanvasPanel::showEmpty()
{
    m_empty->setVisible(m_document.isEmpty());
    if (m_document.isEmpty())
        m_stack->setCurrentWidget(m_empty);
}

void CanvasPanel::setProblems(const std::vector<graph::Problem>& problems)
{
    m_allProblems = problems;
    m_problems.clear();
    for (const graph::Problem& problem : problems)
        if (graph::Problem shown = shownForm(problem); !shown.code.empty())
            m_problems.push_back(std::move(shown));
    m_code->setProblems(m_problems);
    refresh();
}

graph::Problem CanvasPanel::shownForm(const graph::Problem& problem) const
{
    graph::Problem shown = problem;
    const graph::Graph whole = m_document.path().empty() ? graph::Graph() : m_document.whole();
    const graph::Graph* around = &whole;
    for (const NodeId& id : m_document.path()) {
        const auto node = std::ranges::find(around->nodes, id, &graph::Node::name);
        if (node == around->nodes.end() || !node->subgraph)
            return {};
        const std::string prefix = "/nodes/" + std::to_string(node - around->nodes.begin()) + "/graph";
        if (!shown.pointer.starts_with(prefix + "/"))
            return {};
        shown.pointer.erase(0, prefix.size());
        around = node->subgraph.get();
    }
    return shown;
}

void CanvasPanel::select(const graph::Problem& problem)
{
    graph::Graph inner = m_document.whole();
    graph::Problem left = problem;
    std::vector<NodeId> path;
    for (NodeId node = nodeOf(left, inner); !node.empty(); node = nodeOf(left, inner)) {
        const std::size_t at = left.pointer.find("/graph/");
        const graph::Node* holder = inner.findNode(node);
        if (at == std::string::npos || !holder || !holder->subgraph
            || left.pointer.find('/', std::string_view("/nodes/").size()) != at) {
            m_document.goTo(path);
            m_selection.setNode(QString::fromStdString(node.value));
            return;
        }
        path.push_back(node);
        left.pointer.erase(0, at + std::string_view("/graph").size());
        inner = graph::Graph(*holder->subgraph);
    }
    m_document.goTo(path);
}

void CanvasPanel::activate(const QString& node)
{
    const graph::Node* found = m_document.graph().findNode(NodeId(node.toStdString()));
    if (found && found->subgraph)
        m_view->editor()->actions().inside->trigger();
    else
        Q_EMIT inspectionRequested();
}

void CanvasPanel::showPath()
{
    m_breadcrumb->setPath(m_name, m_document.path());
    m_selection.setNode({});
    setProblems(std::vector<graph::Problem>(m_allProblems));
    showEmpty();
}

void CanvasPanel::setHistory(const HistoryRows& history)
{
    m_history = history;
    refresh();
}

void CanvasPanel::addCheckpoints(const QString& thread, const std::vector<CheckpointRow>& added)
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

void CanvasPanel::changeTasks(const QString& thread, const std::vector<TaskRow>& changed)
{
    if (thread != m_history.thread)
        return;
    for (const TaskRow& row : changed) {
        auto& rows = m_history.tasks; // what changes stands near the end
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

void CanvasPanel::refresh()
{
    // What ran inside of a subgraph has no tasks of its own in the thread's history.
    RunView run = m_document.path().empty()
        ? runViewAt(m_document.drawing(), m_history, m_selection.checkpoint())
        : RunView();
    addMarks(run.nodes, m_document.graph(), m_problems);
    m_states = run.nodes;
    m_scene.setNodeStates(m_states);
    m_scene.setEdgeStates(run.edges);
    showBanner();
    inspect();
}

void CanvasPanel::inspect()
{
    const NodeId id(m_selection.node().toStdString());
    m_code->setNode(id);
    const auto& nodes = m_document.graph().nodes;
    const auto node = std::ranges::find(nodes, id, &graph::Node::name);
    if (node == nodes.end()) {
        m_inspector->showGraph();
        return;
    }
    NodeReport report;
    report.node = *node;
    report.folder = m_folder;
    if (const auto state = m_states.find(id); state != m_states.end())
        report.state = state->second;
    if (const TaskRow* task = m_document.path().empty() ? lastTask(m_selection.node()) : nullptr)
        report.task = *task;
    m_inspector->showNode(report);
    const bool failed = report.task && report.state.kind == StateKind::Failed;
    m_code->setFailure(failed ? report.task->detail : QString(), failed ? report.task->error : QString());
}

const TaskRow* CanvasPanel::lastTask(const QString& node) const
{
    const auto viewed =
        std::ranges::find(m_history.checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    for (auto task = m_history.tasks.rbegin(); task != m_history.tasks.rend(); ++task)
        if (task->node == node && (viewed == m_history.checkpoints.end() || task->step <= viewed->step))
            return &*task;
    return nullptr;
}

void CanvasPanel::showBanner()
{
    const auto viewed =
        std::ranges::find(m_history.checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    const bool past = viewed != m_history.checkpoints.end();
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
