#include "ui/shell/project/graph_files.h"

#include "ui/bridge/clients.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/project/saving.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sg::ui {
namespace {

struct Target {
    GraphFormat format;
    const char* title; // of the menu
    const char* ending; // empty: a folder
};

constexpr Target kTargets[] = {
    { GraphFormat::Svg, QT_TRANSLATE_NOOP("sg::ui::GraphFiles", "Picture (&SVG)…"), ".svg" },
    { GraphFormat::Png, QT_TRANSLATE_NOOP("sg::ui::GraphFiles", "Picture (&PNG)…"), ".png" },
    { GraphFormat::Dot, QT_TRANSLATE_NOOP("sg::ui::GraphFiles", "Graphviz (&DOT)…"), ".dot" },
    { GraphFormat::Mermaid, QT_TRANSLATE_NOOP("sg::ui::GraphFiles", "&Mermaid…"), ".mmd" },
    { GraphFormat::Python, QT_TRANSLATE_NOOP("sg::ui::GraphFiles", "Project for &LangGraph (Python)…"), "" },
};

bool isRunnable(const std::vector<graph::Problem>& problems)
{
    return std::ranges::none_of(problems, [](const graph::Problem& problem) {
        return problem.severity == graph::Problem::Severity::Error;
    });
}

} // namespace

GraphFiles::GraphFiles(const WindowParts& parts, CanvasPanel& canvas, Saving& saving)
    : WindowPart(parts)
    , m_graph(&canvas)
    , m_saving(&saving)
{
    connect(&m_clients->editing, &EditingClient::graphExported, this, &GraphFiles::showExported);
    connect(&m_clients->editing, &EditingClient::graphImported, this,
            [this](const QString& graphFile, const QString& notes, const UserError& error) {
                if (!error.what.isEmpty())
                    return showError(error);
                m_importNotes = notes.isEmpty() ? tr("All of it has a counterpart here.") : notes;
                Q_EMIT imported(graphFile);
            });
}

void GraphFiles::addTo(QMenu& file)
{
    QMenu* menu = file.addMenu(icon(QLatin1String("export")), tr("&Export"));
    menu->setObjectName(QStringLiteral("exportMenu"));
    for (const Target& target : kTargets)
        menu->addAction(tr(target.title), this,
                        [this, &target] { askExport(target.format, QLatin1String(target.ending)); });
    connect(&file, &QMenu::aboutToShow, this, [this, menu] {
        menu->setEnabled(m_clients->project.isOpen() && !m_clients->project.info().isReadOnly);
    });
    file.addAction(tr("&Import a LangGraph graph…"), this, &GraphFiles::importGraph);
}

void GraphFiles::askExport(GraphFormat format, QLatin1String ending)
{
    if (format == GraphFormat::Python && !isRunnable(m_graph->problems())) {
        showError({ tr("A graph with errors cannot be exported as a Python project. Mend what Problems lists "
                       "first."),
                    {} });
        return;
    }
    const QString name = m_clients->project.info().graphName
        + (ending.isEmpty() ? QStringLiteral("-langgraph") : QString(ending));
    const QString proposed = QDir(m_clients->project.info().folder).filePath(name);
    QString target = ending.isEmpty()
        ? QFileDialog::getSaveFileName(m_window, tr("New folder for the Python project"), proposed)
        : QFileDialog::getSaveFileName(m_window, tr("Export the graph"), proposed,
                                       QStringLiteral("*") + ending + tr(";;All files (*)"));
    if (target.isEmpty())
        return;
    if (!ending.isEmpty() && QFileInfo(target).suffix().isEmpty())
        target += ending;
    const auto begin = [this, format, target] {
        m_clients->editing.exportGraph(m_graph->document().whole(), format, target);
    };
    if (format == GraphFormat::Python)
        m_saving->saveThen(begin); // it takes the code files as they stand on the disk
    else
        begin();
}

QString GraphFiles::exportGraph(const QString& file)
{
    const auto target = std::ranges::find_if(kTargets, [&file](const Target& each) {
        return *each.ending != '\0' && file.endsWith(QLatin1String(each.ending), Qt::CaseInsensitive);
    });
    if (target == std::end(kTargets))
        return tr("%1 says no form: its name is to end in .svg, .png, .dot or .mmd.").arg(file);
    if (!m_clients->project.isOpen() || m_clients->project.info().isReadOnly)
        return tr("There is no graph to export: open a project.");
    m_clients->editing.exportGraph(m_graph->document().whole(), target->format, file);
    return {};
}

// Files that are missing or wrong stand in no picture.
QString GraphFiles::whyNotExport() const
{
    const auto found = std::ranges::find_if(m_graph->problems(), [](const graph::Problem& problem) {
        return problem.severity == graph::Problem::Severity::Error && problem.code != "missing-file"
            && problem.code != "bad-python";
    });
    return found == m_graph->problems().end() ? QString() : QString::fromStdString(found->message);
}

void GraphFiles::showExported(const QString& target, const QString& notes, const UserError& error)
{
    if (!error.what.isEmpty())
        return showError(error);
    const QFileInfo made(target);
    const QString folder = made.isDir() ? made.filePath() : made.path();
    m_banners->tell(
        BannerStack::Owner::Done,
        { .text = notes.isEmpty() ? tr("**Exported** to `%1`.").arg(made.filePath())
                                  : tr("**Exported** to `%1`. What is otherwise there than here: %2")
                                        .arg(made.filePath(), notes.section(QLatin1Char('\n'), 0, 0)),
          .toolTip = notes,
          .actions = { { .text = tr("Open folder"),
                         .run = [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); },
                         .withdraws = false } } });
}

void GraphFiles::showImported()
{
    if (m_importNotes.isEmpty())
        return;
    const QString notes = std::exchange(m_importNotes, {});
    m_banners->tell(
        BannerStack::Owner::Done,
        { .text = tr("**Imported as a skeleton.** %1").arg(notes.section(QLatin1Char('\n'), 0, 0)),
          .toolTip = notes });
}

void GraphFiles::importGraph()
{
    const QString json =
        QFileDialog::getOpenFileName(m_window, tr("The JSON of graph.get_graph().to_json()"),
                                     m_clients->project.info().folder, tr("JSON (*.json);;All files (*)"));
    if (json.isEmpty())
        return;
    const QFileInfo source(json);
    QString target = QFileDialog::getSaveFileName(
        m_window, tr("The new graph"),
        source.dir().filePath(source.completeBaseName() + QStringLiteral(".graph.json")),
        tr("Graphs (*.graph.json)"), nullptr, QFileDialog::DontConfirmOverwrite);
    if (target.isEmpty())
        return;
    if (!target.endsWith(QLatin1String(".graph.json")))
        target += QStringLiteral(".graph.json");
    m_clients->editing.importGraph(json, target);
}

} // namespace sg::ui
