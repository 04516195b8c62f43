#include "ui/shell/project/documents_part.h"

#include "core/graph/node_kinds.h"
#include "ui/artifacts/artifact_facts.h"
#include "ui/artifacts/artifact_preview_view.h"
#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/clients.h"
#include "ui/code/code_document.h"
#include "ui/code/code_editor.h"
#include "ui/graph/compare/run_graph.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/document_table.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/project/graph_versions.h"
#include "ui/shell/project/last_project.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QCryptographicHash>
#include <QDataStream>
#include <QDateTime>
#include <QIODevice>
#include <QMainWindow>
#include <QSettings>

#include <algorithm>
#include <utility>
#include <vector>

namespace sg::ui {
namespace {

constexpr int kKeepMs = 1000;
constexpr const char* kIsFilled = "sgFilled"; // property of an artifact's document
constexpr qsizetype kMostProjects = 40; // whose documents are remembered

QString groupOfAll()
{
    return QStringLiteral("documents-by-layout");
}

QString keyOf(const QString& project)
{
    const QByteArray hash = QCryptographicHash::hash(project.toUtf8(), QCryptographicHash::Sha1);
    return groupOfAll() + QLatin1Char('/') + QString::fromLatin1(hash.toHex().left(16));
}

// The documents opened longest ago are forgotten.
void forgetOldest()
{
    QSettings settings;
    settings.beginGroup(groupOfAll());
    const QStringList keys = settings.childKeys();
    if (keys.size() <= kMostProjects)
        return;
    std::vector<std::pair<qint64, QString>> ages;
    for (const QString& key : keys) {
        QDataStream in(settings.value(key).toByteArray());
        qint64 at = 0;
        in >> at;
        ages.emplace_back(at, key);
    }
    std::ranges::sort(ages);
    for (qsizetype i = 0; i < keys.size() - kMostProjects; ++i)
        settings.remove(ages[static_cast<std::size_t>(i)].second);
}

} // namespace

DocumentsPart::DocumentsPart(const WindowParts& parts, const Others& others)
    : WindowPart(parts)
    , m_documents(parts.documents)
    , m_others(others)
    , m_openRun(
          new QAction(icon(QLatin1String("hourglass")), tr("Open the r&un looked at in a tab"), m_window))
    , m_layout(parts.docks->layoutKey())
{
    m_openRun->setToolTip(tr("The graph as that run had it, and what it did, in a tab of its own"));
    connect(m_openRun, &QAction::triggered, this, &DocumentsPart::openRun);
    connect(m_documents, &DocumentArea::made, this, &DocumentsPart::wire);
    connect(parts.canvas, &CanvasPanel::codeRequested, this, [this](const QString& file) { openCode(file); });
    connect(&parts.canvas->code(), &CodeEditor::openRequested, this,
            [this](const QString& file) { openCode(file); });
    connect(&parts.panels->of<ArtifactsPanel>(), &ArtifactsPanel::documentRequested, this,
            [this](const ArtifactRow& artifact) {
                m_documents->open({ kArtifactDocument, artifact.id + QLatin1Char('\n') + artifact.name });
            });
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(kKeepMs);
    connect(&m_keepSoon, &QTimer::timeout, this, &DocumentsPart::keep);
    connect(m_documents, &DocumentArea::arranged, this, [this] {
        if (!m_project.isEmpty())
            m_keepSoon.start();
    });
    connect(m_docks, &DockLayout::layoutChanged, this, &DocumentsPart::showLayout);
    connect(m_documents, &DocumentArea::opened, m_docks, &DockLayout::showCentre);
    connect(&m_clients->project, &OpenProject::closing, this, [this] {
        keep();
        m_project.clear();
        m_documents->closeAll();
    });
    connect(&m_clients->project, &OpenProject::opened, this, &DocumentsPart::openProject);
}

void DocumentsPart::openCode(const QString& file, int line)
{
    auto* code = qobject_cast<CodeDocument*>(m_documents->open({ kCodeDocument, file }));
    if (code == nullptr)
        return;
    if (line > 0)
        code->openLine(line);
    else
        code->setFocus(Qt::OtherFocusReason);
}

void DocumentsPart::openRun()
{
    const QString checkpoint = m_history->current();
    if (!checkpoint.isEmpty())
        m_documents->open({ kRunDocument, m_selection->thread() + QLatin1Char('\n') + checkpoint });
}

void DocumentsPart::wire(const DocumentId& id, QWidget* document)
{
    if (auto* code = qobject_cast<CodeDocument*>(document))
        wireCode(code);
    else if (auto* run = qobject_cast<RunGraph*>(document))
        wireRun(run);
    else if (auto* view = qobject_cast<ArtifactPreviewView*>(document))
        wireArtifact(view, id.argument.section(QLatin1Char('\n'), 0, 0));
}

void DocumentsPart::wireCode(CodeDocument* code)
{
    connect(code, &CodeDocument::namesWanted, this, [this](const QString& before) {
        m_clients->sessions.completeCode(m_selection->thread(), before, static_cast<int>(before.size()));
    });
    connect(&m_clients->sessions, &SessionsClient::codeCompleted, code, [code](const CodeCompletion& found) {
        if (found.cursor == static_cast<int>(found.code.size()))
            code->offerNames(found.code, found.cursor - found.start, found.matches);
    });
    connect(code, &CodeDocument::runToRequested, this, [this](const NodeId& node) {
        m_selection->setNode(QString::fromStdString(node.value));
        m_others.past.runToAction()->trigger();
    });
}

void DocumentsPart::wireRun(RunGraph* run)
{
    connect(&m_clients->editing, &EditingClient::graphVersionLoaded, run,
            [this, run](const GraphVersion& version) {
                run->setVersion(version, m_parts.canvas->document().whole());
            });
    run->setHistory(m_history->rows());
    const auto showTitle = [this, run] {
        if (m_history->row(run->checkpoint()).id == run->checkpoint())
            run->setWindowTitle(
                tr("%1: step %2[*]").arg(run->thread()).arg(m_history->stepOf(run->checkpoint())));
    };
    showTitle();
    connect(m_history, &ShownHistory::changed, run, [this, run, showTitle](const HistoryChange& change) {
        if (!change.isRead())
            return;
        run->setHistory(m_history->rows());
        showTitle();
    });
    connect(run, &RunGraph::compareRequested, &m_others.versions, &GraphVersions::showCompare);
    connect(run, &RunGraph::restoreRequested, &m_others.versions, &GraphVersions::restoreAsNew);
    m_clients->editing.loadGraphAt(run->thread(), run->checkpoint());
}

void DocumentsPart::wireArtifact(ArtifactPreviewView* view, const QString& artifact)
{
    ArtifactsClient* client = &m_clients->artifacts;
    const auto take = [view, client, artifact](const std::vector<ArtifactRow>& rows) {
        const auto row = std::ranges::find(rows, artifact, &ArtifactRow::id);
        if (row == rows.end() || view->property(kIsFilled).toBool())
            return;
        view->setProperty(kIsFilled, true);
        view->setWindowTitle(row->name + QStringLiteral("[*]"));
        std::vector<ArtifactRow> versions;
        for (const ArtifactRow& each : rows)
            if (each.thread == row->thread && each.name == row->name)
                versions.push_back(each);
        view->showArtifact(*row, versions);
        client->loadDocument(*row);
    };
    using View = ArtifactPreviewView;
    connect(client, &ArtifactsClient::artifactsLoaded, view, take);
    connect(client, &ArtifactsClient::previewLoaded, view, &View::showPreview);
    connect(client, &ArtifactsClient::columnFactsLoaded, view, &View::showFacts);
    connect(view, &View::pageRequested, client, &ArtifactsClient::loadPage);
    connect(view, &View::columnsShown, client, &ArtifactsClient::loadColumnFacts);
    connect(view, &View::previewRequested, client, &ArtifactsClient::loadPreview);
    connect(view, &View::outsideRequested, client, &ArtifactsClient::openOutside);
    connect(&view->facts(), &ArtifactFacts::momentRequested, this,
            [this](const ArtifactRow& row) { m_history->goToMadeFrom(row.thread, row.checkpoint); });
    connect(&view->facts(), &ArtifactFacts::compareRequested, client, &ArtifactsClient::compareArtifacts);
    take(m_others.artifacts.read());
}

// All layouts have the same documents, each in places of its own.
void DocumentsPart::showLayout()
{
    if (m_docks->layoutKey() == m_layout)
        return;
    m_arranged[m_layout] = m_documents->save();
    m_layout = m_docks->layoutKey();
    const QByteArray arranged = m_arranged.value(m_layout);
    if (!arranged.isEmpty())
        m_documents->restore(arranged, false);
    else if (m_docks->layout() == DockLayout::Layout::Review && !m_project.isEmpty())
        openForReview();
}

// The review layout shows branches, a chat or threads, else the graph.
void DocumentsPart::openForReview()
{
    const auto talks = [](const graph::Node& node) {
        return node.kind == graph::kAgentKind || node.kind == graph::kLlmKind;
    };
    const QString thread = m_selection->thread();
    if (m_history->branches().size() > 1)
        m_documents->open({ kCompareDocument, {} });
    else if (!thread.isEmpty() && std::ranges::any_of(m_parts.canvas->document().whole().nodes, talks))
        m_documents->open({ kChatDocument, thread });
    else if (m_book->rows().size() > 1)
        m_documents->open({ kCompareDocument, {} });
}

void DocumentsPart::keep()
{
    m_keepSoon.stop();
    if (m_project.isEmpty())
        return;
    m_arranged[m_layout] = m_documents->save();
    QByteArray kept;
    QDataStream out(&kept, QIODevice::WriteOnly);
    out << QDateTime::currentMSecsSinceEpoch() << m_arranged;
    QSettings().setValue(keyOf(m_project), kept);
    forgetOldest();
}

void DocumentsPart::openProject()
{
    m_project = LastProject::pathOf(m_clients->project.info());
    QDataStream in(QSettings().value(keyOf(m_project)).toByteArray());
    qint64 at = 0;
    m_arranged.clear();
    in >> at >> m_arranged;
    if (in.status() != QDataStream::Ok)
        m_arranged.clear();
    m_layout = m_docks->layoutKey();
    const QByteArray arranged = m_arranged.value(m_layout);
    if (!arranged.isEmpty())
        m_documents->restore(arranged, true);
}

} // namespace sg::ui
