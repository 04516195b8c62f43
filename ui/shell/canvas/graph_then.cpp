#include "ui/shell/canvas/graph_then.h"

#include "core/graph/diff.h"
#include "core/graph/graph_file.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/run_view.h"

#include <algorithm>

namespace sg::ui {

GraphThen::GraphThen(QWidget* parent)
    : QObject(parent)
    , m_scene(m_document)
    , m_view(new GraphView(m_scene, parent))
{
    m_view->setObjectName(QStringLiteral("canvasThen"));
    m_view->setAccessibleName(tr("Graph canvas, as it was"));
    m_view->setViewingPast(true);
    m_view->hide();
}

void GraphThen::show(Shows what)
{
    m_shows = what;
    m_view->setAccessibleName(isSkeleton() ? tr("Graph canvas, as the checkpoints tell it")
                                           : tr("Graph canvas, as it was"));
    Q_EMIT changed();
    if (!isShown() && !m_document.isEmpty())
        m_document.setGraph({});
}

void GraphThen::showVersion(const std::string& text, const GraphDocument& now)
{
    auto read = graph::parseGraph(text);
    const auto found = read && !read->hasErrors() ? graph::differences(read->graph, now.whole())
                                                  : std::vector<graph::Difference>();
    if (std::ranges::none_of(found, &graph::Difference::countsAtRun)) {
        show(Shows::Nothing);
        return;
    }
    if (m_document.isEmpty() || text != m_text) {
        m_text = text;
        m_document.setGraph(read->graph);
        m_document.goTo(now.path());
    }
    show(Shows::Version);
}

bool GraphThen::showSkeleton(const graph::Graph& graph)
{
    const bool isFirst = !isSkeleton();
    if (!isFirst && graph == m_document.whole())
        return false;
    m_document.setGraph(graph);
    m_text.clear();
    show(Shows::Skeleton);
    if (isFirst)
        m_view->fitAll();
    return true;
}

void GraphThen::hide()
{
    show(Shows::Nothing);
}

void GraphThen::goTo(const std::vector<NodeId>& path)
{
    m_document.goTo(path);
}

void GraphThen::setRun(const HistoryRows& history, const QString& checkpoint, double moment)
{
    const RunView run = runViewAt(m_document.drawing(), history, checkpoint, moment);
    m_scene.setNodeStates(run.nodes);
    m_scene.setEdgeStates(run.edges);
}

bool GraphThen::asksFor(const HistoryRows& thread)
{
    const qint64 count = std::max(thread.total, static_cast<qint64>(thread.checkpoints.size()));
    if (thread.checkpoints.empty() || (isSkeleton() && count == m_askedAt))
        return false;
    m_askedAt = count;
    return true;
}

} // namespace sg::ui
