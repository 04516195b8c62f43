#include "ui/shell/canvas_panel.h"

#include "core/graph/node_kinds.h"
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
#include "ui/shell/canvas/graph_then.h"
#include "ui/shell/canvas/node_inspection.h"
#include "ui/shell/canvas/problem_place.h"
#include "ui/shell/canvas/viewing_banner.h"
#include "ui/widgets/empty_state.h"

#include <QAction>
#include <QElapsedTimer>
#include <QEvent>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

// The graph now: what is shown of it, selected and inspected. What a thread did on it is in
// canvas_panel_history.cpp.
namespace sg::ui {
namespace {

constexpr int kRefreshShare = 8; // of the time, at most one part in so many
constexpr int kInnerSoonMs = 150; // tasks of a run come in bursts

} // namespace

CanvasPanel::CanvasPanel(Selection& selection, const ShownHistory& history, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_history(history)
    , m_scene(m_document)
    , m_inner(m_document, m_scene)
    , m_then(new GraphThen(this))
    , m_banner(new ViewingBanner(history, this))
    , m_breadcrumb(new Breadcrumb(this))
    , m_view(new GraphView(m_scene, this))
    , m_search(new CanvasSearch(*m_view, this))
    , m_empty(new EmptyState(QLatin1String("graph"), QString(), this))
    , m_stack(new QStackedLayout)
    , m_inspection(new NodeInspection(selection, history, m_document, m_scene, this))
{
    m_view->setObjectName(QStringLiteral("canvas"));
    m_document.setEditable(true);
    m_view->makeEditable(m_document);
    startTimers();
    connectCanvas();
    connectBanner();
    connectSelection();
    layOut();
}

void CanvasPanel::startTimers()
{
    m_innerSoon.setSingleShot(true);
    m_innerSoon.setInterval(kInnerSoonMs);
    connect(&m_innerSoon, &QTimer::timeout, this, [this] {
        if (const auto paths = m_inner.paths(); !paths.isEmpty())
            Q_EMIT innerHistoriesWanted(m_selection.thread(), m_selection.checkpoint(), paths);
    });
    m_refreshSoon.setSingleShot(true);
    connect(&m_refreshSoon, &QTimer::timeout, this, &CanvasPanel::refresh);
}

void CanvasPanel::connectCanvas()
{
    const CanvasEditor* editor = m_view->editor();
    connect(&m_document, &GraphDocument::graphEdited, this, [this] {
        if (m_then->isSkeleton() && !m_document.isEmpty()) // there is a graph now
            m_then->hide();
        showEmpty();
        readInnerAgain(); // a subgraph may show its inside now
        refresh();
    });
    connect(editor, &CanvasEditor::renameRequested, this, [this] {
        Q_EMIT renameRequested();
        inspector()->focusName();
    });
    connect(editor, &CanvasEditor::findRequested, m_search, &CanvasSearch::open);
    connect(m_view, &GraphView::nodeActivated, this, &CanvasPanel::activate);
    connect(&m_document, &GraphDocument::pathChanged, this, &CanvasPanel::showPath);
    connect(m_breadcrumb, &Breadcrumb::chosen, this, [this](std::size_t depth) {
        std::vector<NodeId> path = m_document.path();
        path.resize(std::min(depth, path.size()));
        m_document.goTo(path);
        m_view->setFocus();
    });
}

void CanvasPanel::connectBanner()
{
    connect(m_then, &GraphThen::changed, this, &CanvasPanel::showThen);
    connect(m_banner, &ViewingBanner::adoptRequested, this, &CanvasPanel::adoptSkeleton);
    connect(m_banner, &ViewingBanner::returnRequested, &m_selection, &Selection::returnToHead);
    connect(m_banner, &ViewingBanner::compareRequested, this, [this] {
        Q_EMIT compareRequested(m_then->document().whole(),
                                tr("as it was at step %1").arg(viewed() ? viewed()->step : 0));
    });
}

void CanvasPanel::connectSelection()
{
    connect(&m_selection, &Selection::checkpointChanged, this, &CanvasPanel::takeCheckpoint);
    connect(&m_selection, &Selection::momentChanged, this, &CanvasPanel::refreshSoon);
    connect(&m_history, &ShownHistory::changed, this, &CanvasPanel::takeHistory);
    connect(&m_then->scene(), &GraphScene::currentNodeChanged, &m_selection, &Selection::setNode);
    connect(&m_selection, &Selection::nodeChanged, this, &CanvasPanel::showNode);
    connect(&m_scene, &GraphScene::currentNodeChanged, &m_selection, &Selection::setNode);
    connect(&m_scene, &GraphScene::currentEdgeChanged, this, &CanvasPanel::inspect);
}

void CanvasPanel::layOut()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_breadcrumb);
    column->addWidget(m_search);
    column->addWidget(new StateChips(*m_view, this));
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(&m_then->view());
    m_stack->setStackingMode(QStackedLayout::StackAll); // the canvas stays below, with its keys
    m_empty->hide();
    m_then->view().hide();
    setFocusProxy(m_view);
    m_view->installEventFilter(this);
    m_banner->installEventFilter(this);
}

QWidget* CanvasPanel::strip() const
{
    return m_banner;
}

// It lies over the canvas: in the layout, each step into the past and back would move the graph.
void CanvasPanel::placeBanner()
{
    const QRect over = m_view->geometry();
    const int height =
        std::max(m_banner->minimumHeight(), m_banner->layout()->totalHeightForWidth(over.width()));
    m_banner->setGeometry(over.left(), over.top(), over.width(), std::min(height, over.height()));
    m_banner->raise();
    showCovered();
}

void CanvasPanel::setCovered(int pixels)
{
    m_covered = pixels;
    showCovered();
}

void CanvasPanel::showCovered()
{
    const int covered = std::max(m_covered, m_banner->isHidden() ? 0 : m_banner->height());
    m_view->setCovered(covered);
    m_then->view().setCovered(covered);
}

bool CanvasPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool isOfBanner = watched == m_banner
        && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::ShowToParent
            || event->type() == QEvent::HideToParent);
    const bool isOfView =
        watched == m_view && (event->type() == QEvent::Resize || event->type() == QEvent::Move);
    if (isOfBanner || isOfView)
        placeBanner();
    return QWidget::eventFilter(watched, event);
}

Inspector* CanvasPanel::inspector() const
{
    return m_inspection->inspector();
}

CodeEditor& CanvasPanel::code() const
{
    return m_inspection->code();
}

void CanvasPanel::setGraph(const ProjectInfo& info)
{
    m_inspection->setFolder(info.folder);
    m_name = info.graphName;
    const bool editable = info.editFault.isEmpty() && !info.isReadOnly;
    m_document.setEditable(editable);
    m_document.setGraph(info.graph);
    if (m_then->isSkeleton()) // of what was open before
        m_then->hide();
    askSkeleton();
    setProblems(info.problems);
    m_breadcrumb->setPath(m_name, m_document.path());
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
    const bool isEmpty = m_document.isEmpty() && !m_then->isSkeleton();
    m_empty->setVisible(isEmpty);
    if (isEmpty)
        m_stack->setCurrentWidget(m_empty);
}

graph::Problem CanvasPanel::shownForm(const graph::Problem& problem) const
{
    return m_document.path().empty() ? problem
                                     : problemWithin(problem, m_document.whole(), m_document.path());
}

void CanvasPanel::setProblems(const std::vector<graph::Problem>& problems)
{
    m_allProblems = problems;
    m_problems.clear();
    for (const graph::Problem& problem : problems)
        if (graph::Problem shown = shownForm(problem); !shown.code.empty())
            m_problems.push_back(std::move(shown));
    m_inspection->setProblems(problems, m_problems);
    refresh();
}

void CanvasPanel::select(const graph::Problem& problem)
{
    const ProblemPlace place = placeOf(problem, m_document.whole());
    m_document.goTo(place.path);
    selectPart(place.problem);
}

bool CanvasPanel::selectEdge(bool ofBranch, std::size_t part)
{
    const auto& drawn = m_document.drawing().edges;
    const auto found = std::ranges::find_if(
        drawn, [&](const DrawnEdge& each) { return each.ofBranch == ofBranch && each.part == part; });
    if (found == drawn.end())
        return false;
    m_scene.setCurrentEdge(static_cast<std::size_t>(found - drawn.begin()));
    m_view->reveal(m_document.drawing().nodes[found->from].id);
    return true;
}

// Selects a node or an edge; a problem that neither of them holds stands among the graph's own settings.
void CanvasPanel::selectPart(const graph::Problem& problem)
{
    const std::optional<std::size_t> edge = indexIn(problem.pointer, "/edges/");
    if (edge && selectEdge(false, *edge))
        return;
    NodeId node = nodeOf(problem, m_document.graph());
    const auto& edges = m_document.graph().edges;
    if (!m_document.graph().findNode(node) && edge && *edge < edges.size())
        node = edges[*edge].to; // from a node that is not there
    if (m_document.graph().findNode(node)) {
        m_selection.setNode(QString::fromStdString(node.value));
        m_view->reveal(node);
        return;
    }
    if (const auto branch = indexIn(problem.pointer, "/branches/"); branch && selectEdge(true, *branch))
        return; // of the start
    m_selection.setNode({});
    m_scene.setCurrentNode({});
    m_scene.setCurrentEdge(kNoEdge);
    inspector()->showPart(problem.pointer);
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
    m_inner.clear();
    readInnerAgain();
    if (m_then->isShown())
        m_then->goTo(m_document.path());
    setProblems(std::vector<graph::Problem>(m_allProblems));
    showEmpty();
}

void CanvasPanel::showNode(const QString& node)
{
    const NodeId id(node.toStdString());
    if (m_scene.currentNode() != id) // else it may be the last of several that are selected
        m_scene.setCurrentNode(id);
    m_then->scene().setCurrentNode(id);
    if (m_scene.selectedNodes().size() < 2)
        m_view->reveal(id);
    inspect();
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
    const bool isOuter = m_document.path().empty();
    const QString checkpoint = isOuter ? m_selection.checkpoint() : QString();
    const double moment = isOuter ? m_selection.moment() : kUnknown;
    RunView run = runViewAt(m_document.drawing(), shownHistory(), checkpoint, moment);
    if (m_then->isShown())
        m_then->setRun(shownHistory(), checkpoint, moment);
    if (isOuter) // it names nodes of the whole graph
        addPreview(run.nodes);
    addMarks(run.nodes, m_document.graph(), m_problems);
    m_inspection->setStates(run.nodes);
    m_scene.setNodeStates(run.nodes);
    m_scene.setEdgeStates(run.edges);
    m_inner.show();
    m_view->setViewingPast(viewed() != nullptr);
    m_banner->showStep(viewed(), m_then->shows(), m_document.isEditable());
    inspect();
    m_refreshSoon.stop();
    // A long way takes long to go through: other things shall have most of the window's time.
    m_refreshSoon.setInterval(static_cast<int>(std::clamp<qint64>(kRefreshShare * took.elapsed(), 30, 500)));
}

void CanvasPanel::inspect()
{
    m_inspection->show(shownHistory());
}

} // namespace sg::ui
