#include "ui/graph/compare/run_graph.h"

#include "core/graph/diff.h"
#include "core/graph/graph_file.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/run_view.h"
#include "ui/widgets/banner.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace sg::ui {
namespace {

int differingNodes(const graph::Graph& then, const graph::Graph& now)
{
    std::set<std::string> names;
    for (const graph::Difference& each : graph::differences(then, now))
        if (!each.path.empty())
            names.insert(each.path.front().value);
        else if (each.kind == graph::PartKind::Node)
            names.insert(each.name);
    return static_cast<int>(names.size());
}

} // namespace

RunGraph::RunGraph(const QString& thread, const QString& checkpoint, QWidget* parent)
    : QWidget(parent)
    , m_thread(thread)
    , m_checkpoint(checkpoint)
    , m_scene(m_document)
    , m_view(new GraphView(m_scene, this))
    , m_banner(new Banner(this))
{
    m_view->setAccessibleName(tr("Graph of a run of %1, read-only").arg(thread));
    setFocusProxy(m_view);
    m_compare = m_banner->addButton(tr("Compare with now"));
    m_restore = m_banner->addButton(tr("Restore as new…"));
    connect(m_compare, &QPushButton::clicked, this, [this] {
        Q_EMIT compareRequested(m_document.whole(), tr("as the run of %1 had it").arg(m_thread));
    });
    connect(m_restore, &QPushButton::clicked, this, [this] { Q_EMIT restoreRequested(m_document.whole()); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banner);
    column->addWidget(m_view, 1);
}

void RunGraph::setVersion(const GraphVersion& version, const graph::Graph& now)
{
    if (version.thread != m_thread || version.checkpoint != m_checkpoint)
        return;
    auto read = graph::parseGraph(version.text);
    const bool isKnown = !version.text.empty() && read && !read->hasErrors();
    m_document.setGraph(isKnown ? read->graph : now);
    m_compare->setVisible(isKnown);
    m_restore->setVisible(isKnown);
    const int differing = isKnown ? differingNodes(read->graph, now) : 0;
    m_banner->showMessage(Banner::Kind::Info,
                          !isKnown             ? tr("**The graph as it is now:** the one that this run was "
                                                                "started on is not recorded.")
                              : differing == 0 ? tr("**The graph as this run had it**, the same as now")
                              : differing == 1
                              ? tr("**The graph as this run had it**  1 node differs from now")
                              : tr("**The graph as this run had it**  %1 nodes differ from "
                                   "now")
                                    .arg(differing));
    m_view->fitAll();
    showStates();
}

void RunGraph::setHistory(const HistoryRows& rows)
{
    const bool isKnown = rows.thread == m_thread
        && std::ranges::find(rows.checkpoints, m_checkpoint, &CheckpointRow::id) != rows.checkpoints.end();
    if (!isKnown)
        return;
    m_history = rows;
    showStates();
}

void RunGraph::showStates()
{
    if (m_history.checkpoints.empty())
        return;
    const RunView run = runViewAt(m_document.drawing(), m_history, m_checkpoint);
    m_scene.setNodeStates(run.nodes);
    m_scene.setEdgeStates(run.edges);
}

} // namespace sg::ui
