#include "ui/shell/project/project_pages.h"

#include "ui/bridge/clients.h"
#include "ui/code/code_editor.h"
#include "ui/documents/document_area.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/project/graph_files.h"
#include "ui/shell/project/last_project.h"
#include "ui/shell/project/project_state.h"
#include "ui/shell/project/saving.h"
#include "ui/shell/project/start_part.h"
#include "ui/start/start_page.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/world/files_panel.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>

namespace sg::ui {
namespace {

// An empty folder has no graph to be named after.
QString projectName(const ProjectInfo& info)
{
    return info.graphName.isEmpty() ? QFileInfo(info.folder).fileName() : info.graphName;
}

// "penguins.graph", as its file is called, and where the sign of unsaved edits goes.
QString documentTitle(const ProjectInfo& info)
{
    QString file = QFileInfo(info.graphPath).fileName();
    if (file.endsWith(QLatin1String(".json")))
        file.chop(5);
    return (file.isEmpty() ? projectName(info) : file) + QStringLiteral("[*]");
}

} // namespace

ProjectPages::ProjectPages(const WindowParts& parts, const Parts& others)
    : WindowPart(parts)
    , m_others(others)
{
    connect(&m_others.start, &StartPart::openWanted, this, &ProjectPages::open);
    connect(&m_others.start, &StartPart::exampleWanted, this, &ProjectPages::openSample);
    auto* projects = new QMenu(m_window);
    connect(projects, &QMenu::aboutToShow, this, [this, projects] {
        projects->clear();
        m_others.start.addTo(*projects);
    });
    parts.runBar->setProjectMenu(projects);
    connect(&m_clients->project, &OpenProject::opened, this, &ProjectPages::show);
    connect(&m_clients->project, &OpenProject::openFailed, this, [this](const UserError& error) {
        m_parts.start->setBusy(false);
        m_others.last.tellNotOpened(error);
        Q_EMIT notOpened(error);
        Q_EMIT ready();
    });
    connect(&m_others.last, &LastProject::openWanted, this, &ProjectPages::openWith);
    connect(&m_others.last, &LastProject::ready, this, &ProjectPages::ready);
    connect(&m_others.files, &GraphFiles::imported, this, &ProjectPages::open);
}

void ProjectPages::addTo(QMenu& file)
{
    StartPart* start = &m_others.start;
    file.addAction(tr("&New project…"), QKeySequence::New, start, &StartPart::newProject)
        ->setObjectName(QStringLiteral("file.new-graph")); // macros and rebound keys name it so
    file.addAction(tr("&Open…"), QKeySequence::Open, start, &StartPart::chooseProject);
    file.addAction(tr("Open a &folder…"), start, &StartPart::chooseFolder);
    file.addAction(tr("Open a ser&ver's database…"), start, &StartPart::askAddress);
    file.addAction(tr("Open &sample"), this, [this] { openSample(kSampleName); });
}

void ProjectPages::open(const QString& path)
{
    openWith(path, {});
}

void ProjectPages::openWith(const QString& path, const QString& database)
{
    begin([this, path, database] { m_clients->project.open(path, database); },
          [this, path, database] { openWith(path, database); });
}

void ProjectPages::openSample(const QString& example)
{
    begin([this, example] { m_clients->project.openSample(example); },
          [this, example] { openSample(example); });
}

void ProjectPages::begin(const std::function<void()>& open, const std::function<void()>& again)
{
    if (m_others.saving.holdsBack(tr("Open without it"), again))
        return;
    m_others.last.stop();
    m_parts.start->setBusy(true);
    m_banners->withdraw(BannerStack::Owner::Action);
    m_banners->withdraw(BannerStack::Owner::Connection);
    open();
}

void ProjectPages::show(const ProjectInfo& info)
{
    m_banners->withdrawAll(); // they were the other project's
    m_others.world.forgetSave();
    m_parts.start->setBusy(false);
    m_window->setWindowTitle(tr("%1[*] — Sandglass").arg(projectName(info)));
    m_parts.runBar->setProject(projectName(info));
    m_parts.runBar->setInput({});
    m_parts.canvas->setGraph(info);
    m_parts.canvas->setWindowTitle(documentTitle(info));
    m_parts.canvas->code().setFolder(info.folder);
    m_parts.pages->setCurrentWidget(m_parts.documents);
    m_parts.panels->of<SessionPanel>().clear();
    m_parts.panels->of<FilesPanel>().closeText(); // of the project that was open
    m_parts.panels->of<TerminalPanel>().clear();
    m_parts.panels->of<InboxPanel>().clear();
    m_selection->setThread({});
    m_others.state.show(info);
    m_others.start.remember(info);
    m_others.saving.begin(info);
    m_others.files.showImported();
    Q_EMIT ready();
}

bool ProjectPages::takes(const QMimeData& dropped)
{
    const QList<QUrl> urls = dropped.urls();
    return urls.size() == 1 && urls.front().isLocalFile();
}

void ProjectPages::drop(const QMimeData& dropped)
{
    const QString file = dropped.urls().front().toLocalFile();
    if (file.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive))
        m_others.threads.importThread(file);
    else
        open(file);
}

} // namespace sg::ui
