#pragma once

#include "ui/bridge/live/live_events.h"
#include "ui/bridge/open/database_watch.h"
#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/project_rows.h"

#include <QFutureWatcher>
#include <QObject>
#include <QSet>
#include <QThreadPool>
#include <QtConcurrentRun>

#include <memory>
#include <type_traits>
#include <utility>

namespace sg::history {
class UsageBook;
}
namespace sg::projects {
class EditJournal;
class ProjectNotes;
} // namespace sg::projects
namespace sg::workbench {
class Workbench;
}

namespace sg::ui {

// The worker threads for the clients' questions.
struct WorkerPools {
    QThreadPool readers; // short questions
    QThreadPool slow; // previews, exports, image builds
    QThreadPool verbs; // actions on sessions: stopping one must not wait behind a preview
    // Questions to sandboxes, some of which never answer: other readers must not wait for them.
    QThreadPool looks;
    QThreadPool keeping; // one at a time: saves, journal and notes keep the order of the edits
};

// The open project: core's Workbench, what is stored beside it, and the worker threads for the clients'
// questions. GUI thread only; every call returns at once, the answer comes as a signal. It must outlive its
// clients.
class OpenProject : public QObject {
    Q_OBJECT
public:
    OpenProject();
    ~OpenProject() override; // stops runs and ends sessions; waits for both

    // Opens a graph file or project folder, or any checkpoint database (also on a PostgreSQL server, by its
    // address), which is only read. `database` holds the threads in place of the project's own file, if
    // named.
    void open(const QString& path, const QString& database = {});
    void cancelOpening(); // what is being opened is not wanted any more; nothing is told of it
    void openSample(const QString& example); // copies it to the user's data folder where it is not yet
    [[nodiscard]] bool isOpen() const { return m_workbench != nullptr; }
    // No question is being answered; cells and terminals do not count.
    [[nodiscard]] bool isAtRest() const { return m_underWay == 0; }
    // Makes a project of a checkpoint database, in a folder that is new or empty.
    void copyDatabase(const QString& folder);
    void checkSandbox(); // asks again what a run would use; read-only projects run nothing
    void prepareRuntime(); // builds the sandbox's Python where it is missing; minutes. Once at a time

    [[nodiscard]] bool isPreparing() const { return m_isPreparing; }
    [[nodiscard]] const ProjectInfo& info() const { return m_info; }

Q_SIGNALS:
    void closing(); // another project replaces the open one, which can still be asked
    void opened(const sg::ui::ProjectInfo& info);
    void openFailed(const sg::ui::UserError& error);
    // Behind openFailed(): its folder can only be read, and holds no runs to look at.
    void onlyReadable(const QString& folder);
    void sandboxChecked(const sg::ui::SandboxInfo& found); // after each opening, too
    void runtimeProgress(const sg::ui::RuntimeRow& row);
    void runtimeReady(const sg::ui::UserError& error); // `what` empty: ready
    void databaseChanged(); // by another program, or thinned out by this one
    void databaseCopied(const QString& folder, const sg::ui::UserError& error);
    void queryFailed(const sg::ui::UserError& error); // of any client

private:
    friend class ProjectAccess;

    [[nodiscard]] std::shared_ptr<history::UsageBook> usage(); // made on first use
    // `apply` gets the result of `work`, which runs on a worker thread, on the GUI thread, unless `context`
    // is gone by then. `counts` is 0 if isAtRest() must not wait for it, else 1.
    template<typename Work, typename Apply>
    void run(QObject* context, QThreadPool& pool, Work work, Apply apply, int counts = 1)
    {
        using Result = std::invoke_result_t<Work&>;
        // A watcher is used because QFuture::then(context, f) asserts in Qt 6.4 when the context is gone.
        auto* watcher = new QFutureWatcher<Result>(context);
        m_underWay += counts;
        connect(watcher, &QFutureWatcherBase::finished, context,
                [this, counts, watcher, apply = std::move(apply)]() mutable {
                    m_underWay -= counts;
                    watcher->deleteLater();
                    if (watcher->future().resultCount() > 0) // otherwise the pool dropped it
                        apply(watcher->future().takeResult());
                });
        watcher->setFuture(QtConcurrent::run(&pool, std::move(work)));
    }
    // Tells that a cell of this window starts or ends writing to the database.
    void noteCell(const QString& thread, bool isRunning);
    // Destroys the part on a worker thread, because that may take long.
    void retire(std::shared_ptr<void> part);
    void adopt(std::shared_ptr<workbench::Workbench> workbench,
               std::shared_ptr<projects::EditJournal> journal, ProjectInfo info);
    void followDatabase();
    [[nodiscard]] bool writesItself() const { return !m_running.isEmpty() || !m_cells.isEmpty(); }

    WorkerPools m_pools;
    int m_underWay = 0; // questions, but those of cells and terminals
    int m_opens = 0; // projects that were asked for; the newest is taken
    int m_sandboxAsked = 0; // only the newest answer counts
    int m_generation = 0; // of the open project; answers to an older one are dropped
    std::shared_ptr<workbench::Workbench> m_workbench; // shared with running questions
    std::shared_ptr<projects::ProjectNotes> m_notes; // the same
    std::shared_ptr<projects::EditJournal> m_journal; // the same; null if there is no graph
    std::shared_ptr<history::UsageBook> m_usage; // the same; null until first used
    ProjectInfo m_info;
    LiveEvents m_live;
    DatabaseWatch m_follow; // whether another program has written to the database
    bool m_isPreparing = false; // the sandbox's Python
    bool m_isLooking = false; // at its files
    QString m_databaseMark; // its files' sizes and times when they were last looked at
    QSet<QString> m_running; // threads with a run of this window
    QSet<QString> m_cells; // threads with a cell of this window
};

} // namespace sg::ui
