#include "ui/shell/canvas_panel.h"

#include "core/graph/node_kinds.h"
#include "ui/code/code_editor.h"
#include "ui/graph/canvas/breadcrumb.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/canvas_search.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/state_chips.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/scene/node_marks.h"
#include "ui/graph/scene/run_view.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/time_format.h"

#include <QAction>
#include <QElapsedTimer>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace sg::ui {
namespace {

constexpr int kRefreshShare = 8; // of the time, at most one part in so many
constexpr int kInnerSoonMs = 150; // tasks of a run come in bursts

QString listed(const QStringList& nodes)
{
    return nodes.isEmpty() ? QStringLiteral("–") : nodes.join(QStringLiteral(", "));
}

} // namespace

CanvasPanel::CanvasPanel(Selection& selection, const ShownHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_history(history)
    , m_scene(m_document)
    , m_thenScene(m_then)
    , m_thenView(new GraphView(m_thenScene, this))
    , m_banner(new Banner(this))
    , m_breadcrumb(new Breadcrumb(this))
    , m_view(new GraphView(m_scene, this))
    , m_search(new CanvasSearch(*m_view, this))
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
        dropSkeleton();
        showEmpty();
        refresh();
    });
    connect(&editor, &CanvasEditor::renameRequested, this, [this] {
        Q_EMIT renameRequested();
        m_inspector->focusName();
    });
    connect(&editor, &CanvasEditor::findRequested, m_search, &CanvasSearch::open);
    connect(m_inspector, &Inspector::renamed, &m_selection, &Selection::setNode);
    layOut();
    m_innerSoon.setSingleShot(true);
    m_innerSoon.setInterval(kInnerSoonMs);
    connect(&m_innerSoon, &QTimer::timeout, this, [this] {
        if (!m_document.path().empty())
            Q_EMIT innerHistoryWanted(m_selection.thread(), m_selection.checkpoint(), pathWords());
    });
    m_refreshSoon.setSingleShot(true);
    connect(&m_refreshSoon, &QTimer::timeout, this, &CanvasPanel::refresh);
    m_adopt = m_banner->addButton(tr("Make it a graph"));
    m_adopt->hide();
    connect(m_adopt, &QPushButton::clicked, this, &CanvasPanel::adoptSkeleton);
    m_return = m_banner->addButton(tr("Return to head"));
    connect(m_return, &QPushButton::clicked, &m_selection, &Selection::returnToHead);
    m_compare = m_banner->addLink(tr("Compare with now"));
    m_compare->hide();
    connect(m_compare, &QPushButton::clicked, this, [this] {
        Q_EMIT compareRequested(m_then.whole(), tr("as it was at step %1").arg(viewedStep()));
    });
    connect(&m_selection, &Selection::checkpointChanged, this, &CanvasPanel::takeCheckpoint);
    connect(&m_selection, &Selection::momentChanged, this, &CanvasPanel::refreshSoon);
    connect(&m_history, &ShownHistory::changed, this, &CanvasPanel::takeHistory);
    connect(&m_thenScene, &GraphScene::currentNodeChanged, &m_selection, &Selection::setNode);
    connect(&m_selection, &Selection::nodeChanged, this, [this](const QString& node) {
        const NodeId id(node.toStdString());
        if (m_scene.currentNode() != id) // else it may be the last of several that are selected
            m_scene.setCurrentNode(id);
        m_thenScene.setCurrentNode(id);
        if (m_scene.selectedNodes().size() < 2)
            m_view->reveal(id);
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
    connect(&m_scene, &GraphScene::currentEdgeChanged, this, &CanvasPanel::inspect);
}

void CanvasPanel::layOut()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_breadcrumb);
    column->addWidget(m_banner);
    column->addWidget(m_search);
    column->addWidget(new StateChips(*m_view, this));
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_thenView);
    m_thenView->setObjectName(QStringLiteral("canvasThen"));
    m_thenView->setAccessibleName(tr("Graph canvas, as it was"));
    m_thenView->setViewingPast(true);
    m_stack->setStackingMode(QStackedLayout::StackAll); // the canvas stays below, with its keys
    m_empty->hide();
    m_thenView->hide();
    setFocusProxy(m_view);
}

void CanvasPanel::setGraph(const ProjectInfo& info)
{
    m_folder = info.folder;
    m_name = info.graphName;
    m_document.setEditable(info.editFault.isEmpty() && !info.isReadOnly);
    m_document.setGraph(info.graph);
    if (m_isSkeleton) { // of what was open before
        m_isSkeleton = m_showsThen = false;
        showThen();
    }
    askSkeleton();
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
    m_empty->setVisible(m_document.isEmpty() && !m_isSkeleton);
    if (m_document.isEmpty() && !m_isSkeleton)
        m_stack->setCurrentWidget(m_empty);
}

void CanvasPanel::setProblems(const std::vector<graph::Problem>& problems)
{
    m_allProblems = problems;
    m_problems.clear();
    for (const graph::Problem& problem : problems)
        if (graph::Problem shown = shownForm(problem); !shown.code.empty())
            m_problems.push_back(std::move(shown));
    const auto isOfFile = [](const graph::Problem& problem) { return problem.code == "bad-python"; };
    std::vector<graph::Problem> ofCode = m_problems;
    std::erase_if(ofCode, isOfFile); // another graph may name the file first
    std::ranges::copy_if(problems, std::back_inserter(ofCode), isOfFile);
    m_code->setProblems(ofCode);
    refresh();
}

void CanvasPanel::activate(const QString& node)
{
    const graph::Node* found = m_document.graph().findNode(NodeId(node.toStdString()));
    if (found && found->subgraph)
        m_view->editor()->actions().inside->trigger();
    else if (const std::string* file = found ? graph::codeFileOf(*found) : nullptr; file && !file->empty())
        Q_EMIT codeRequested(QString::fromStdString(*file));
    else
        Q_EMIT inspectionRequested();
}

void CanvasPanel::showPath()
{
    m_breadcrumb->setPath(m_name, m_document.path());
    m_selection.setNode({});
    m_inner = {};
    readInnerAgain();
    if (m_showsThen)
        m_then.goTo(m_document.path());
    setProblems(std::vector<graph::Problem>(m_allProblems));
    showEmpty();
}

void CanvasPanel::refreshSoon()
{
    if (!m_refreshSoon.isActive())
        m_refreshSoon.start();
}

void CanvasPanel::refresh()
{
    QElapsedTimer took;
    took.start();
    const QString checkpoint = m_document.path().empty() ? m_selection.checkpoint() : QString();
    const double moment = m_document.path().empty() ? m_selection.moment() : kUnknown;
    RunView run = runViewAt(m_document.drawing(), shownHistory(), checkpoint, moment);
    if (m_showsThen) {
        const RunView then = runViewAt(m_then.drawing(), shownHistory(), checkpoint, moment);
        m_thenScene.setNodeStates(then.nodes);
        m_thenScene.setEdgeStates(then.edges);
    }
    if (m_document.path().empty()) // it names nodes of the whole graph
        addPreview(run.nodes);
    addMarks(run.nodes, m_document.graph(), m_problems);
    m_states = run.nodes;
    m_scene.setNodeStates(m_states);
    m_scene.setEdgeStates(run.edges);
    showBanner();
    inspect();
    m_refreshSoon.stop();
    // A long way takes long to go through: other things shall have most of the window's time.
    m_refreshSoon.setInterval(static_cast<int>(std::clamp<qint64>(kRefreshShare * took.elapsed(), 30, 500)));
}

void CanvasPanel::inspect()
{
    const NodeId id(m_selection.node().toStdString());
    m_code->setNode(id);
    const auto& nodes = m_document.graph().nodes;
    const auto node = std::ranges::find(nodes, id, &graph::Node::name);
    if (node == nodes.end()) {
        const std::size_t edge = m_scene.currentEdge();
        if (edge < m_document.drawing().edges.size())
            m_inspector->showEdge(m_document.drawing().edges[edge]);
        else
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
    if (report.task && !m_stateOf.isEmpty() && report.task->checkpoint == m_stateOf)
        report.wentIn = m_stateValues;
    m_inspector->showNode(report);
    const bool failed = report.task && report.state.kind == StateKind::Failed;
    m_code->setFailure(failed ? report.task->detail : QString(), failed ? report.task->error : QString());
}

const TaskRow* CanvasPanel::lastTask(const QString& node) const
{
    const auto viewed =
        std::ranges::find(m_history.rows().checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    const HistoryRows& history = shownHistory();
    const bool all = viewed == m_history.rows().checkpoints.end() || &history != &m_history.rows();
    for (auto task = history.tasks.rbegin(); task != history.tasks.rend(); ++task)
        if (task->node == node && (all || task->step <= viewed->step))
            return &*task;
    return nullptr;
}

QString CanvasPanel::momentWords(double checkpointMs) const
{
    return m_history.isMomentBetween()
        ? tr("%1, %2 into the tasks")
              .arg(formatClockMs(m_history.moment()), formatDuration(m_history.secondsInto()))
        : formatClockMs(checkpointMs);
}

void CanvasPanel::showBanner()
{
    const auto viewed =
        std::ranges::find(m_history.rows().checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    const bool past = viewed != m_history.rows().checkpoints.end();
    m_view->setViewingPast(past);
    m_return->setVisible(past);
    if (m_isSkeleton && !past) {
        m_banner->showMessage(Banner::Kind::Info,
                              tr("The graph is not in this file: these are the nodes and the ways taken, as "
                                 "the checkpoints name "
                                 "them."));
        return;
    }
    if (!past) {
        m_banner->hide();
        return;
    }
    m_banner->showMessage(
        Banner::Kind::Viewing,
        (m_isSkeleton      ? tr("**Viewing step %1**, with the nodes that checkpoints name  after %2 → "
                                     "%3  %4")
             : m_showsThen ? tr("**Viewing step %1**, with the graph as it was then  after %2 → %3  %4")
                           : tr("**Viewing step %1**  after %2 → %3  %4"))
            .arg(QString::number(viewed->step), listed(viewed->after), listed(viewed->next),
                 momentWords(viewed->timeMs)));
}

} // namespace sg::ui
