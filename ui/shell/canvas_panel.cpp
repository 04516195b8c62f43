#include "ui/shell/canvas_panel.h"

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
    , m_view(new GraphView(m_scene, this))
    , m_empty(new EmptyState(QLatin1String("graph"), QString(), this))
    , m_stack(new QStackedLayout)
    , m_inspector(new Inspector(m_document, this))
{
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
    connect(m_view, &GraphView::nodeActivated, this, &CanvasPanel::inspectionRequested);
    connect(&m_scene, &GraphScene::currentNodeChanged, &m_selection, &Selection::setNode);
}

void CanvasPanel::setGraph(const ProjectInfo& info)
{
    m_folder = info.folder;
    m_problems = info.problems;
    m_document.setEditable(info.editFault.isEmpty() && !info.isReadOnly);
    m_document.setGraph(info.graph);
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
    m_problems = problems;
    refresh();
}

void CanvasPanel::select(const graph::Problem& problem)
{
    const NodeId node = nodeOf(problem, m_document.graph());
    if (!node.empty())
        m_selection.setNode(QString::fromStdString(node.value));
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
    RunView run = runViewAt(m_document.drawing(), m_history, m_selection.checkpoint());
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
    if (const TaskRow* task = lastTask(m_selection.node()))
        report.task = *task;
    m_inspector->showNode(report);
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
