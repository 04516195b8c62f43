#include "ui/shell/project/graph_versions.h"

#include "ui/bridge/clients.h"
#include "ui/graph/compare/graph_compare.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/canvas_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QMainWindow>
#include <QMenu>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr QSize kCompareSize(1180, 760);

} // namespace

GraphVersions::GraphVersions(const WindowParts& parts, CanvasPanel& canvas)
    : WindowPart(parts)
    , m_graph(&canvas)
{
    connect(&m_clients->editing, &EditingClient::graphVersionLoaded, this, &GraphVersions::takeVersion);
    connect(&m_clients->history, &HistoryClient::innerHistoryLoaded, m_graph, &CanvasPanel::setInnerHistory);
    connect(m_graph, &CanvasPanel::innerHistoriesWanted, &m_clients->history,
            &HistoryClient::loadInnerHistories);
    connect(m_graph, &CanvasPanel::graphThenWanted, &m_clients->editing, &EditingClient::loadGraphAt);
    connect(m_graph, &CanvasPanel::skeletonWanted, &m_clients->editing, &EditingClient::loadSkeleton);
    connect(&m_clients->editing, &EditingClient::skeletonLoaded, m_graph, &CanvasPanel::setSkeleton);
    connect(m_graph, &CanvasPanel::compareRequested, this, &GraphVersions::showCompare);
}

void GraphVersions::addTo(QMenu& menu)
{
    menu.addAction(tr("Compare with &git's HEAD"), this,
                   [this] { m_clients->editing.loadCommittedGraph(QStringLiteral("HEAD")); });
    menu.addAction(
        tr("Compare with the &run looked at"), QKeySequence(QStringLiteral("Ctrl+Alt+D")), this, [this] {
            const auto& rows = m_history->rows().checkpoints;
            const QString at =
                m_selection->isAtHead() && !rows.empty() ? rows.back().id : m_selection->checkpoint();
            m_thread = m_selection->thread();
            m_clients->editing.loadGraphAt(m_thread, at);
        });
}

void GraphVersions::takeVersion(const GraphVersion& version)
{
    const bool wanted = version.thread.isEmpty() || version.thread == m_thread;
    if (!version.thread.isEmpty())
        m_graph->setGraphThen(version); // where it is what the canvas asked for
    if (!wanted)
        return;
    m_thread.clear();
    if (version.text.empty()) {
        showError({ version.error.isEmpty()
                        ? tr("The graph that this run was started on is not recorded: it is "
                             "older than that record, or another program ran it.")
                        : version.error,
                    {} });
        return;
    }
    auto read = graph::parseGraph(version.text);
    if (!read) {
        showError(
            { tr("The other version cannot be read: %1").arg(QString::fromStdString(read.error().message)),
              {} });
        return;
    }
    showCompare(read->graph, version.thread.isEmpty() ? tr("git HEAD") : tr("as the run had it"));
}

void GraphVersions::showCompare(const graph::Graph& older, const QString& label)
{
    auto* compare = new GraphCompare;
    auto* window = new QWidget(m_window, Qt::Window);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(tr("%1: two versions").arg(m_clients->project.info().graphName));
    window->resize(kCompareSize.boundedTo(m_window->size()));
    auto* column = new QVBoxLayout(window);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(compare);
    connect(compare, &GraphCompare::restoreRequested, this, &GraphVersions::restoreAsNew);
    window->show();
    compare->compare({ older, label }, { m_graph->document().whole(), tr("now") });
}

void GraphVersions::restoreAsNew(const graph::Graph& graph)
{
    QString target = QFileDialog::getSaveFileName(
        m_window, tr("Restore as a new graph"),
        QDir(m_clients->project.info().folder)
            .filePath(m_clients->project.info().graphName + QStringLiteral("-restored.graph.json")),
        tr("Graphs (*.graph.json)"));
    if (target.isEmpty())
        return;
    if (!target.endsWith(QLatin1String(".graph.json")))
        target += QStringLiteral(".graph.json");
    if (auto saved = graph::saveGraph(graph, target.toStdString()); !saved)
        showError({ QString::fromStdString(saved.error().message), {} });
    else
        Q_EMIT restored(target);
}

} // namespace sg::ui
