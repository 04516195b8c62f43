#include "ui/shell/project/start_part.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/project/last_project.h"
#include "ui/start/new_project_sheet.h"
#include "ui/start/recent_list.h"
#include "ui/start/start_page.h"
#include "ui/widgets/icons.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>

#include <algorithm>
#include <array>

namespace sg::ui {
namespace {

constexpr int kMost = 12; // that are remembered
constexpr int kInMenu = 6;
// Examples that show most come first on the start page.
constexpr std::array kFirstExamples{ "analyst", "penguins", "research-review", "supervisor",
                                     "rewind",  "retry",    "memory",          "conversation" };

QString recentKey()
{
    return QStringLiteral("recent");
}

QString placeKey()
{
    return QStringLiteral("start/place");
}

QString nameOf(const QString& path)
{
    QString name =
        QFileInfo(path.section(QLatin1Char('?'), 0, 0)).fileName(); // an address may have parameters
    if (name.endsWith(QLatin1String(".graph.json")))
        name.chop(static_cast<int>(sizeof ".graph.json") - 1);
    return name;
}

// Older versions stored a list of paths.
QList<RecentRow> readRecent()
{
    QList<RecentRow> rows;
    const QVariantMap facts = QSettings().value(QStringLiteral("recentFacts")).toMap();
    for (const QString& path : QSettings().value(recentKey()).toStringList()) {
        const QVariantMap of = facts.value(path).toMap();
        RecentRow row{ path, nameOf(path), RecentRow::Kind::Project,
                       of.value(QStringLiteral("opened")).toDouble() };
        const std::string word = of.value(QStringLiteral("kind")).toString().toStdString();
        row.kind = kindNamed<RecentRow::Kind>(word).value_or(RecentRow::Kind::Project);
        rows << row;
    }
    return rows;
}

void writeRecent(const QList<RecentRow>& rows)
{
    QStringList paths;
    QVariantMap facts;
    for (const RecentRow& row : rows) {
        paths << row.path;
        QVariantMap of{ { QStringLiteral("opened"), row.openedMs } };
        if (row.kind != RecentRow::Kind::Project)
            of[QStringLiteral("kind")] = QString::fromLatin1(nameAmong(row.kind));
        facts[row.path] = of;
    }
    QSettings().setValue(recentKey(), paths);
    QSettings().setValue(QStringLiteral("recentFacts"), facts);
}

std::vector<TemplateRow> examplesOf(const TemplateRows& rows)
{
    std::vector<TemplateRow> examples;
    for (const TemplateRow& row : rows.templates)
        if (row.isExample)
            examples.push_back(row);
    std::ranges::stable_sort(examples, {}, [](const TemplateRow& row) {
        return std::ranges::find(kFirstExamples, row.id.toStdString()) - kFirstExamples.begin();
    });
    return examples;
}

} // namespace

StartPart::StartPart(const WindowParts& parts, QStackedWidget& pages, StartPage& page)
    : WindowPart(parts)
    , m_pages(&pages)
    , m_page(&page)
    , m_sheet(new NewProjectSheet(m_window))
    , m_recent(readRecent())
{
    const auto makeRoom = [this] { m_docks->setBare(m_pages->currentWidget() == m_page); };
    connect(m_pages, &QStackedWidget::currentChanged, this, makeRoom);
    makeRoom();
    connectPage();
    ProjectsClient& projects = m_clients->projects;
    connect(m_sheet, &NewProjectSheet::templatesWanted, &projects, &ProjectsClient::loadTemplates);
    connect(m_sheet, &NewProjectSheet::placeTyped, &projects, &ProjectsClient::checkPlace);
    connect(m_sheet, &NewProjectSheet::createRequested, &projects, &ProjectsClient::create);
    connect(&projects, &ProjectsClient::placeChecked, m_sheet, &NewProjectSheet::setPlace);
    connect(&projects, &ProjectsClient::created, this, &StartPart::projectMade);
    connect(&projects, &ProjectsClient::templatesLoaded, this, [this](const TemplateRows& rows) {
        m_page->setExamples(examplesOf(rows));
        if (m_sheet->isVisible())
            m_sheet->setTemplates(rows);
    });
    connect(&projects, &ProjectsClient::foundInFolder, this,
            [this](const QString& path, const UserError& error) {
                if (error.what.isEmpty())
                    Q_EMIT openWanted(path);
                else
                    showError(error);
            });
    // The window shows the project first.
    connect(&m_clients->project, &OpenProject::opened, this, &StartPart::showMade, Qt::QueuedConnection);
    connect(&m_clients->project, &OpenProject::onlyReadable, this, [this](const QString& folder) {
        m_banners->tell(
            BannerStack::Owner::Connection,
            { .text = tr("**%1 can be copied to %2** and opened there.")
                          .arg(QFileInfo(folder).fileName(), place()),
              .toolTip = folder,
              .actions = { { .text = tr("Open a copy"), .run = [this, folder] { copyFolder(folder); } } } });
    });
    projects.loadTemplates({}, {});
    showRecent();
}

void StartPart::connectPage()
{
    connect(m_page, &StartPage::newRequested, this, &StartPart::newProject);
    connect(m_page, &StartPage::openRequested, this, &StartPart::chooseProject);
    connect(m_page, &StartPage::folderRequested, this, &StartPart::chooseFolder);
    connect(m_page, &StartPage::databaseRequested, this, &StartPart::chooseDatabase);
    connect(m_page, &StartPage::serverRequested, this, &StartPart::askAddress);
    connect(m_page, &StartPage::recentRequested, this, &StartPart::openWanted);
    connect(m_page, &StartPage::recentRemoved, this, &StartPart::forget);
    connect(m_page, &StartPage::exampleRequested, this, &StartPart::exampleWanted);
}

QString StartPart::place()
{
    return QSettings().value(placeKey(), QDir::homePath() + QStringLiteral("/projects")).toString();
}

void StartPart::newProject()
{
    m_sheet->open(place(), {});
}

bool StartPart::tellReadOnly(const ProjectInfo& info)
{
    if (info.readOnlyWhy.isEmpty())
        return false;
    m_banners->tell(
        BannerStack::Owner::File,
        { .text =
              tr("**%1 is read-only:** %2. Look at any step; to run or change it, open a copy, which begins "
                 "without runs.")
                  .arg(info.graphName, info.readOnlyWhy),
          .toolTip = info.folder,
          .actions = {
              { .text = tr("Open a copy"), .run = [this, folder = info.folder] { copyFolder(folder); } } } });
    return true;
}

void StartPart::copyFolder(const QString& folder)
{
    m_clients->projects.copyFolder(folder, place());
}

void StartPart::projectMade(const QString& graph, const UserError& error)
{
    const bool isAsked = m_sheet->isVisible(); // else a folder was copied
    if (!error.what.isEmpty()) {
        if (isAsked)
            m_sheet->setError(error);
        else
            showError(error);
        return;
    }
    if (isAsked) {
        QSettings().setValue(placeKey(), m_sheet->parentFolder());
        m_sheet->close();
    }
    m_made = graph;
    Q_EMIT openWanted(graph);
}

// A new project is there to be built: its first node stands in the inspector.
void StartPart::showMade(const ProjectInfo& info)
{
    if (m_made.isEmpty() || info.graphPath != std::exchange(m_made, {}))
        return;
    m_docks->show(DockLayout::Layout::Build);
    m_docks->raise(m_parts.inspector);
    if (!info.graph.nodes.empty())
        m_selection->setNode(QString::fromStdString(info.graph.nodes.front().name.value));
}

void StartPart::choose(const QString& title, bool isFolder, const QString& filter)
{
    const ProjectInfo& info = m_clients->project.info();
    auto* dialog = new QFileDialog(m_window, title, info.folder, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(isFolder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this, isFolder](const QString& path) {
        if (isFolder)
            m_clients->projects.findInFolder(path);
        else
            Q_EMIT openWanted(path);
    });
    dialog->open();
}

void StartPart::chooseProject()
{
    choose(tr("Open a graph or a checkpoint database"), false,
           tr("Graphs (*.graph.json);;Checkpoint databases (*.sqlite *.sqlite3 *.db);;All files (*)"));
}

void StartPart::chooseDatabase()
{
    choose(tr("Open a checkpoint database"), false,
           tr("Checkpoint databases (*.sqlite *.sqlite3 *.db);;All files (*)"));
}

void StartPart::askAddress()
{
    auto* ask = new QInputDialog(m_window);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Open a database on a server"));
    ask->setLabelText(tr("Address of a PostgreSQL database in which Sandglass or LangGraph keeps threads.\n"
                         "A password belongs in PGPASSWORD or ~/.pgpass."));
    ask->setTextValue(QStringLiteral("postgresql://"));
    connect(ask, &QInputDialog::textValueSelected, this, [this](const QString& address) {
        const QString wanted = address.trimmed();
        if (wanted.startsWith(QLatin1String("postgresql://"))
            || wanted.startsWith(QLatin1String("postgres://")))
            Q_EMIT openWanted(wanted);
        else
            showError(
                { tr("An address begins with postgresql://, as in postgresql://me@db.example/flows."), {} });
    });
    ask->open();
}

void StartPart::chooseFolder()
{
    choose(tr("Open a project's or a LangGraph program's folder"), true, {});
}

void StartPart::addTo(QMenu& menu)
{
    menu.addAction(icon(QLatin1String("plus")), tr("New project…"), this, &StartPart::newProject);
    menu.addAction(icon(QLatin1String("folder")), tr("Open…"), this, &StartPart::chooseProject);
    menu.addAction(icon(QLatin1String("folder")), tr("Open a folder…"), this, &StartPart::chooseFolder);
    menu.addAction(icon(QLatin1String("play")), tr("Open sample"), this,
                   [this] { Q_EMIT exampleWanted(kSampleName); });
    if (!m_recent.isEmpty())
        menu.addSection(tr("Recent"));
    for (const RecentRow& row : m_recent.mid(0, kInMenu)) {
        const QString place =
            m_window->fontMetrics().elidedText(QFileInfo(row.path).path(), Qt::ElideMiddle, 320);
        menu.addAction(icon(RecentList::kindIcon(row.kind)), row.name + QLatin1Char('\t') + place, this,
                       [this, path = row.path] { Q_EMIT openWanted(path); });
    }
}

void StartPart::remember(const ProjectInfo& info)
{
    const QString path = LastProject::pathOf(info);
    m_recent.removeIf([&path](const RecentRow& row) { return row.path == path; });
    m_recent.prepend({ path, nameOf(path),
                       !info.readOnlyWhy.isEmpty() ? RecentRow::Kind::ReadOnly
                           : info.isReadOnly       ? RecentRow::Kind::Database
                                                   : RecentRow::Kind::Project,
                       static_cast<double>(QDateTime::currentMSecsSinceEpoch()) });
    m_recent = m_recent.mid(0, kMost);
    showRecent();
    writeRecent(m_recent);
    LastProject::keepLast(info);
}

void StartPart::forget(const QString& path)
{
    m_recent.removeIf([&path](const RecentRow& row) { return row.path == path; });
    showRecent();
    writeRecent(m_recent);
}

void StartPart::showRecent()
{
    m_page->setRecent(m_recent);
}

} // namespace sg::ui
