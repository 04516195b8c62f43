#include "ui/shell/canvas_panel.h"

#include "ui/graph/graph_document.h"
#include "ui/graph/graph_view.h"
#include "ui/widgets/empty_state.h"

#include <QAction>
#include <QStackedLayout>

namespace sg::ui {

CanvasPanel::CanvasPanel(QWidget* parent)
    : QWidget(parent)
    , m_document(new GraphDocument(this))
    , m_scene(new GraphScene(*m_document, this))
    , m_view(new GraphView(*m_scene, this))
    , m_stack(new QStackedLayout(this))
{
    m_view->setObjectName(QStringLiteral("canvas"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(new EmptyState(
        QLatin1String("graph"),
        tr("This graph has no nodes yet. Add them to its file; it is taken up as you save."), this));
    createActions();
}

void CanvasPanel::createActions()
{
    const auto add = [this](const QString& name, const QString& title, void (GraphView::*does)()) {
        auto* action = new QAction(title, this);
        action->setObjectName(name);
        connect(action, &QAction::triggered, m_view, does);
        m_actions << action;
    };
    add(QStringLiteral("canvas.zoomIn"), tr("Zoom &in (+)"), &GraphView::zoomIn);
    add(QStringLiteral("canvas.zoomOut"), tr("Zoom &out (−)"), &GraphView::zoomOut);
    add(QStringLiteral("canvas.fit"), tr("&Fit the graph (1)"), &GraphView::fitAll);
}

void CanvasPanel::setGraph(const graph::Graph& graph)
{
    m_document->setGraph(graph);
    m_stack->setCurrentIndex(m_document->isEmpty() ? 1 : 0);
}

void CanvasPanel::showHistory(const HistoryRows& history, const QString& checkpoint)
{
    m_scene->setNodeStates(nodeStatesAt(history, checkpoint));
    m_scene->setEdgeStates(edgeStatesAt(m_document->drawing(), history, checkpoint));
}

void CanvasPanel::setViewingPast(bool viewing)
{
    m_view->setViewingPast(viewing);
}

void CanvasPanel::revealNode(const QString& node)
{
    m_view->reveal(NodeId(node.toStdString()));
}

} // namespace sg::ui
