#include "core/base/file.h"
#include "core/graph/graph_file.h"
#include "core/workbench/graph_versions.h"
#include "ui/graph/graph_compare.h"
#include "ui/graph/graph_document.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/main_window.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QVBoxLayout>

// Other versions of the graph beside the one that is edited: git's, and those of other files.
namespace sg::ui {
namespace {

constexpr QSize kCompareSize(1180, 760);

}

void MainWindow::createVersions(QMenu& menu)
{
    menu.addAction(tr("Compare with &git's HEAD"), this, [this] {
        compareWith(tr("git HEAD"), [file = m_info.graphPath.toStdString()] {
            return workbench::committedText(file, "HEAD");
        });
    });
    menu.addAction(tr("Compare with a &file…"), this, [this] {
        const QString other = QFileDialog::getOpenFileName(this, tr("The older version"), m_info.folder,
                                                           tr("Graphs (*.graph.json);;All files (*)"));
        if (!other.isEmpty())
            compareWith(QFileInfo(other).fileName(), [file = other.toStdString()] { return readFile(file); });
    });
}

void MainWindow::compareWith(const QString& label, const std::function<Result<std::string>()>& read)
{
    if (!m_bridge->isOpen() || m_info.isReadOnly)
        return;
    struct Older {
        graph::Graph graph;
        QString error;
    };
    m_versions.start(
        [read](const CancelFlag&) {
            Older older;
            const auto text = read();
            auto file = text ? graph::parseGraph(*text) : Result<graph::GraphFile>(text.error());
            if (file)
                older.graph = std::move(file->graph);
            else
                older.error = QString::fromStdString(file.error().message);
            return older;
        },
        [this, label](const Older& older) {
            if (older.error.isEmpty())
                showCompare(older.graph, label);
            else
                showError({ tr("There is nothing to compare with. %1").arg(older.error), {} });
        });
}

void MainWindow::showCompare(const graph::Graph& older, const QString& label)
{
    auto* window = new QWidget(this, Qt::Window);
    auto* compare = new GraphCompare(window);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(tr("%1: two versions").arg(m_info.graphName));
    window->resize(kCompareSize.boundedTo(size()));
    auto* column = new QVBoxLayout(window);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(compare);
    connect(compare, &GraphCompare::restoreRequested, this, &MainWindow::restoreAsNew);
    window->show();
    compare->compare({ older, label }, { m_graph->document().whole(), tr("now") });
}

void MainWindow::restoreAsNew(const graph::Graph& graph)
{
    QString target = QFileDialog::getSaveFileName(
        this, tr("Restore as a new graph"),
        QDir(m_info.folder).filePath(m_info.graphName + QStringLiteral("-restored.graph.json")),
        tr("Graphs (*.graph.json)"));
    if (target.isEmpty())
        return;
    if (!target.endsWith(QLatin1String(".graph.json")))
        target += QStringLiteral(".graph.json");
    if (auto saved = graph::saveGraph(graph, target.toStdString()); !saved)
        showError({ QString::fromStdString(saved.error().message), {} });
    else
        openProject(target);
}

} // namespace sg::ui
