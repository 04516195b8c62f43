#include "ui/bridge/open/open_project.h"

#include "core/history/usage_book.h"
#include "core/projects/edit_journal.h"
#include "core/projects/project_notes.h"
#include "core/sandbox/backend_kinds.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/open/project_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QMetaObject>
#include <QPointer>
#include <QTimer>

namespace sg::ui {
namespace {

constexpr int kOwnWritesMs = 1000; // after a run's end, until its last times are stored

} // namespace

OpenProject::OpenProject()
{
    m_pools.readers.setMaxThreadCount(3);
    m_pools.slow.setMaxThreadCount(2);
    m_pools.verbs.setMaxThreadCount(4);
    m_pools.looks.setMaxThreadCount(2);
    m_pools.keeping.setMaxThreadCount(1);
    connect(&m_follow, &DatabaseWatch::due, this, &OpenProject::followDatabase);
    connect(&m_live, &LiveEvents::runStarted, this,
            [this](const QString& thread) { m_running.insert(thread); });
    connect(&m_live, &LiveEvents::runFinished, this, [this](const QString& thread) {
        m_running.remove(thread);
        QTimer::singleShot(kOwnWritesMs, this, &OpenProject::followDatabase);
    });
}

OpenProject::~OpenProject()
{
    m_live.stop();
    if (m_workbench)
        m_workbench->history().giveUpWaiting();
    for (QThreadPool* pool :
         { &m_pools.readers, &m_pools.keeping, &m_pools.slow, &m_pools.verbs, &m_pools.looks })
        pool->waitForDone();
    m_usage.reset();
    m_workbench.reset();
}

void OpenProject::cancelOpening()
{
    ++m_opens;
}

void OpenProject::open(const QString& path, const QString& database)
{
    const int asked = ++m_opens;
    struct Opened {
        std::shared_ptr<workbench::Workbench> workbench;
        std::shared_ptr<projects::EditJournal> journal;
        ProjectInfo info;
        UserError error;
        QString onlyReadable; // the folder
    };
    run(
        this, m_pools.slow,
        [path, database, journal = m_journal] {
            auto answer = openWorkbench(path, database);
            Opened opened;
            opened.error = answer.error;
            opened.workbench = std::move(answer.value);
            if (!opened.workbench) {
                opened.onlyReadable = onlyReadableFolder(path);
                return opened;
            }
            opened.info = readProject(*opened.workbench);
            opened.journal = openJournal(*opened.workbench, journal);
            if (opened.journal)
                readUnsaved(*opened.journal, opened.info);
            return opened;
        },
        [this, asked](Opened opened) {
            if (asked != m_opens)
                return;
            if (!opened.workbench) {
                Q_EMIT openFailed(opened.error);
                if (!opened.onlyReadable.isEmpty())
                    Q_EMIT onlyReadable(opened.onlyReadable);
                return;
            }
            adopt(std::move(opened.workbench), std::move(opened.journal), std::move(opened.info));
        });
}

void OpenProject::adopt(std::shared_ptr<workbench::Workbench> workbench,
                        std::shared_ptr<projects::EditJournal> journal, ProjectInfo info)
{
    if (isOpen())
        Q_EMIT closing();
    m_generation++; // until here the old project answers, because the new one might not have opened
    m_journal = std::move(journal);
    m_running.clear();
    m_cells.clear();
    m_usage.reset();
    retire(std::exchange(m_workbench, std::move(workbench)));
    m_live.follow(*m_workbench);
    m_notes = std::make_shared<projects::ProjectNotes>(m_workbench->project().data / projects::kNotesFile);
    m_info = std::move(info);
    m_databaseMark.clear();
    m_isLooking = false;
    m_follow.follow(m_info.database);
    followDatabase();
    ++m_sandboxAsked;
    Q_EMIT opened(m_info); // the clients hear it first, and forget what they knew of the old one
    checkSandbox(); // the project is shown at once, however long an engine takes to answer
}

// The last owner of a workbench ends runs and sessions, so a worker thread should be that.
void OpenProject::retire(std::shared_ptr<void> part)
{
    run(
        this, m_pools.slow,
        [part = std::move(part)]() mutable {
            part.reset();
            return true;
        },
        [](bool) {});
}

std::shared_ptr<history::UsageBook> OpenProject::usage()
{
    if (!m_usage)
        m_usage =
            std::make_shared<history::UsageBook>(m_workbench->history(), m_workbench->project().checkpoints);
    return m_usage;
}

void OpenProject::noteCell(const QString& thread, bool isRunning)
{
    if (isRunning)
        m_cells.insert(thread);
    else if (m_cells.remove(thread))
        followDatabase();
}

// Writes of this window's own runs and cells come as events. When the last of them has ended, the files'
// sizes and times are taken again.
void OpenProject::followDatabase()
{
    if (!isOpen() || writesItself()) {
        m_databaseMark.clear();
        m_follow.pause();
        return;
    }
    if (m_isLooking)
        return;
    m_isLooking = true;
    struct Look {
        QString mark;
        QStringList existing;
        bool isKnown = true; // false: the server does not answer
    };
    run(
        this, m_pools.readers,
        [database = m_info.database, workbench = m_workbench] {
            Look look;
            const auto mark = workbench->history().changeMark();
            look.isKnown = static_cast<bool>(mark);
            if (!mark || !mark->empty()) { // the file has copies alone, which looks make
                look.mark = mark ? text(*mark) : QString();
                return look;
            }
            for (const QString& path : DatabaseWatch::filesOf(database)) {
                const QFileInfo file(path);
                look.mark +=
                    QStringLiteral("%1 %2;").arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
                if (file.exists())
                    look.existing << path;
            }
            return look;
        },
        [this, asked = m_generation](const Look& look) {
            if (asked != m_generation)
                return;
            m_isLooking = false;
            const bool isLate = !writesItself() && m_follow.listen(look.existing);
            if (!look.isKnown)
                return;
            const QString before = std::exchange(m_databaseMark, m_running.isEmpty() ? look.mark : QString());
            if (!before.isEmpty() && !m_databaseMark.isEmpty() && look.mark != before)
                Q_EMIT databaseChanged();
            if (isLate)
                followDatabase(); // writes meanwhile must not be missed
        });
}

void OpenProject::openSample(const QString& example)
{
    run(
        this, m_pools.slow, [example] { return copySample(example); },
        [this, asked = ++m_opens](const Answer<QString>& answer) {
            if (asked != m_opens)
                return;
            if (answer.error.what.isEmpty())
                open(answer.value);
            else
                Q_EMIT openFailed(answer.error);
        });
}

void OpenProject::copyDatabase(const QString& folder)
{
    if (!isOpen())
        return;
    run(
        this, m_pools.slow,
        [database = m_info.database, folder, workbench = m_workbench] {
            if (auto here = workbench->history().bringHere({}); !here)
                return userError(here.error());
            auto copied = projects::copyToProject(utf8(database), utf8(folder));
            return copied ? UserError() : userError(copied.error());
        },
        [this, folder, asked = m_generation](const UserError& error) {
            if (asked == m_generation)
                Q_EMIT databaseCopied(folder, error);
        });
}

void OpenProject::checkSandbox()
{
    if (!isOpen() || m_info.isReadOnly)
        return;
    run(
        this, m_pools.looks,
        [workbench = m_workbench, graph = m_info.graph] { return askSandbox(*workbench, graph); },
        [this, asked = ++m_sandboxAsked](const SandboxInfo& found) {
            if (asked != m_sandboxAsked)
                return;
            m_info.sandbox = found;
            Q_EMIT sandboxChecked(found);
        });
}

void OpenProject::prepareRuntime()
{
    if (std::exchange(m_isPreparing, true))
        return;
    RuntimeRow row;
    row.state = RuntimeRow::State::Preparing;
    Q_EMIT runtimeProgress(row);
    const QPointer<OpenProject> self(this);
    run(
        this, m_pools.slow,
        [self, row]() mutable {
            const auto packages = config::runtimePackages(config::locateRuntime());
            config::BuildProgress done(packages ? packages->size() : 0);
            const auto progress = [&](const std::string& line) {
                done.take(line);
                row.percent = done.percent();
                row.step = text(done.step());
                QMetaObject::invokeMethod(
                    qApp,
                    [self, row] {
                        if (self && self->m_isPreparing)
                            Q_EMIT self->runtimeProgress(row);
                    },
                    Qt::QueuedConnection);
            };
            auto built = config::buildRuntime(
                config::locateRuntime(),
                std::string(sandbox::firstBackendOn(sandbox::RunsOn::Environment).name), {}, progress);
            return built ? UserError() : userError(built.error());
        },
        [this](const UserError& error) {
            m_isPreparing = false;
            Q_EMIT runtimeReady(error);
        });
}

} // namespace sg::ui
