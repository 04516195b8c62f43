#include "ui/bridge/project_bridge.h"

#include "ui/bridge/project_bridge_impl.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace sg::ui {
namespace {

constexpr int kOwnWritesMs = 1000; // behind a run's end, until its last times are stored

} // namespace

ProjectBridge::ProjectBridge(QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>(this))
{
    connect(&m_impl->files, &QFileSystemWatcher::fileChanged, this, [this] { m_impl->settle.start(); });
    connect(&m_impl->files, &QFileSystemWatcher::directoryChanged, this, [this](const QString& path) {
        // The folder above is watched for one thing: a folder that is renamed is not told of it itself.
        const QString& folder = m_impl->info.folder;
        if (path != QFileInfo(folder).path() || !QDir(folder).exists())
            m_impl->settle.start();
    });
    connect(&m_impl->settle, &QTimer::timeout, this, [this] { reloadGraph(); });
    connect(&m_impl->follow, &DatabaseWatch::due, this, [this] { followDatabase(); });
    removeOldDragFolders();
}

ProjectBridge::~ProjectBridge()
{
    m_impl->generation++;
    m_impl->stopAsking();
    m_impl->live.reset();
    m_impl->readers.waitForDone();
    for (auto& [thread, stop] : m_impl->cellStops)
        stop.request_stop();
    m_impl->cells.waitForDone();
    closeTerminals();
    m_impl->terminals.waitForDone();
    m_impl->staging.waitForDone();
    m_impl->pictures.clear();
    m_impl->pictures.waitForDone();
    m_impl->editing.waitForDone();
    m_impl->slow.waitForDone();
    m_impl->sums.waitForDone();
    m_impl->verbs.waitForDone();
    m_impl->looks.waitForDone();
    m_impl->previewer.reset();
    m_impl->workbench.reset();
    for (const QString& folder : std::as_const(m_impl->stagedFolders))
        QDir(folder).removeRecursively();
}

bool ProjectBridge::isOpen() const
{
    return m_impl->workbench != nullptr;
}

void ProjectBridge::cancelOpening()
{
    ++m_impl->opens;
}

bool ProjectBridge::isAtRest() const
{
    return m_impl->underWay == 0;
}

void ProjectBridge::open(const QString& path)
{
    const int asked = ++m_impl->opens;
    struct Opened {
        std::shared_ptr<workbench::Workbench> workbench;
        std::shared_ptr<projects::EditJournal> journal;
        ProjectInfo info;
        UserError error;
    };
    m_impl->askAlways(
        m_impl->slow,
        [path, journal = m_impl->journal] {
            auto answer = openWorkbench(path);
            Opened opened;
            opened.error = answer.error;
            opened.workbench = std::move(answer.value);
            if (!opened.workbench)
                return opened;
            opened.info = readProject(*opened.workbench);
            opened.journal = openJournal(*opened.workbench, journal);
            if (opened.journal)
                readUnsaved(*opened.journal, opened.info);
            return opened;
        },
        [this, asked](Opened opened) {
            if (asked != m_impl->opens)
                return;
            if (!opened.workbench) {
                Q_EMIT openFailed(opened.error);
                return;
            }
            adopt(std::move(opened.workbench), std::move(opened.journal), std::move(opened.info));
        });
}

void ProjectBridge::adopt(std::shared_ptr<workbench::Workbench> workbench,
                          std::shared_ptr<projects::EditJournal> journal, ProjectInfo info)
{
    if (isOpen())
        Q_EMIT closing();
    m_impl->generation++; // until here the old one answers: the new one might not have opened
    m_impl->journal = std::move(journal);
    m_impl->live.reset();
    m_impl->running.clear();
    for (auto& [thread, stop] : m_impl->cellStops)
        stop.request_stop();
    m_impl->cellStops.clear();
    closeTerminals();
    // The last owner ends runs and sessions, which takes time: not on this thread.
    m_impl->ask(
        m_impl->slow,
        [old = std::exchange(m_impl->workbench, std::move(workbench)),
         previewer = std::exchange(m_impl->previewer, nullptr)]() mutable {
            previewer.reset();
            old.reset();
            return true;
        },
        [](bool) {});
    m_impl->previewer = std::make_shared<ArtifactPreviewer>(*m_impl->workbench);
    m_impl->stopAsking();
    m_impl->hasReadAhead = false;
    m_impl->search.reset();
    m_impl->usage.reset();
    m_impl->notes =
        std::make_shared<projects::ProjectNotes>(m_impl->workbench->project().data / projects::kNotesFile);
    m_impl->info = std::move(info);
    m_impl->databaseMark.clear();
    m_impl->pictures.clear();
    m_impl->code.clear();
    m_impl->isLooking = false;
    m_impl->follow.follow(m_impl->info.database);
    followDatabase();
    listen();
    watchFiles();
    m_impl->codeFaults = std::make_shared<const runs::CodeFaults>();
    m_impl->checkedText = m_impl->info.fileText;
    Q_EMIT opened(m_impl->info);
    askPython();
    loadNotes();
    loadWatches();
    refreshThreads();
    refreshSessions(); // those of the past are kept
}

void ProjectBridge::listen()
{
    m_impl->live = std::make_unique<LiveEvents>(*m_impl->workbench, nullptr);
    LiveEvents* live = m_impl->live.get();
    connect(live, &LiveEvents::runStarted, this, &ProjectBridge::runStarted);
    connect(live, &LiveEvents::tasksChanged, this, &ProjectBridge::tasksChanged);
    connect(live, &LiveEvents::checkpointsAdded, this, &ProjectBridge::checkpointsAdded);
    connect(live, &LiveEvents::innerChanged, this, &ProjectBridge::innerChanged);
    connect(
        live, &LiveEvents::logAppended, this,
        [this](const QString& thread, const std::vector<LogRow>& rows) { m_impl->tellLog(thread, rows); });
    connect(live, &LiveEvents::artifactsAdded, this, &ProjectBridge::artifactsAdded);
    connect(live, &LiveEvents::samplesAdded, this, &ProjectBridge::samplesAdded);
    connect(live, &LiveEvents::sessionNoted, this, &ProjectBridge::sessionNoted);
    connect(live, &LiveEvents::sessionsChanged, this, &ProjectBridge::refreshSessions);
    connect(live, &LiveEvents::runFinished, this,
            [this](const QString& thread, const QString& status, const UserError& error) {
                m_impl->running.erase(thread);
                QTimer::singleShot(kOwnWritesMs, this, &ProjectBridge::followDatabase);
                Q_EMIT runFinished(thread, status, error);
                refreshThreads();
                refreshSessions();
            });
}

void ProjectBridge::watchFiles()
{
    if (!m_impl->files.files().isEmpty())
        m_impl->files.removePaths(m_impl->files.files());
    if (!m_impl->files.directories().isEmpty())
        m_impl->files.removePaths(m_impl->files.directories());
    if (QFile::exists(m_impl->info.graphPath))
        m_impl->files.addPath(m_impl->info.graphPath);
    for (const QString& folder : { m_impl->info.folder, m_impl->info.folder + QStringLiteral("/nodes"),
                                   QFileInfo(m_impl->info.folder).path() })
        if (QDir(folder).exists())
            m_impl->files.addPath(folder);
    for (const QString& name : std::as_const(m_impl->code))
        followCode(name);
}

// What this window's own runs and cells write comes as events; the mark is taken anew when the last one has
// ended.
void ProjectBridge::followDatabase()
{
    if (!isOpen() || !m_impl->running.empty() || !m_impl->cellStops.empty()) {
        m_impl->databaseMark.clear();
        m_impl->follow.pause();
        return;
    }
    if (m_impl->isLooking)
        return;
    m_impl->isLooking = true;
    struct Look {
        QString mark;
        QStringList existing;
    };
    m_impl->ask(
        m_impl->readers,
        [database = m_impl->info.database] {
            Look look;
            for (const QString& path : DatabaseWatch::filesOf(database)) {
                const QFileInfo file(path);
                look.mark +=
                    QStringLiteral("%1 %2;").arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
                if (file.exists())
                    look.existing << path;
            }
            return look;
        },
        [this](const Look& look) {
            m_impl->isLooking = false;
            const bool isQuiet = m_impl->running.empty() && m_impl->cellStops.empty();
            const bool isLate = isQuiet && m_impl->follow.listen(look.existing);
            const QString before =
                std::exchange(m_impl->databaseMark, m_impl->running.empty() ? look.mark : QString());
            if (!before.isEmpty() && !m_impl->databaseMark.isEmpty() && look.mark != before)
                Q_EMIT databaseChanged();
            if (isLate)
                followDatabase(); // what was written meanwhile is not missed
        });
}

void ProjectBridge::reloadGraph()
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->reloads;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, faults = m_impl->codeFaults] {
            return readProject(*workbench, *faults);
        },
        [this, asked](ProjectInfo info) {
            if (asked != m_impl->reloads)
                return; // several read at a time: a later question may be answered before
            if (!info.isReadable) { // what was shown stays in sight while the file is being mended
                info.graph = std::move(m_impl->info.graph);
                info.graphName = m_impl->info.graphName;
                info.editFault = tr("the file cannot be read");
            }
            m_impl->info = std::move(info);
            watchFiles(); // an atomic save puts a new file in the watched one's place
            Q_EMIT graphChanged(m_impl->info);
            askPython(); // any file of the folder may be another one
        });
    for (const QString& name : QStringList(m_impl->code))
        loadCode(name);
}

void ProjectBridge::openSample()
{
    m_impl->ask(
        m_impl->slow, [] { return copySample(); },
        [this](const Answer<QString>& answer) {
            if (answer.error.what.isEmpty())
                open(answer.value);
            else
                Q_EMIT openFailed(answer.error);
        });
}

} // namespace sg::ui
