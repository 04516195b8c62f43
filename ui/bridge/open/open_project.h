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

// The project that is open: core's Workbench, what is kept beside it, and the threads on which the clients
// ask it. On the GUI thread; every call returns at once, the answer comes as a signal. The clients are made
// after it and go before it.
class OpenProject : public QObject {
    Q_OBJECT
public:
    OpenProject();
    ~OpenProject() override; // stops runs and ends sessions; waits for both

    // Graph file or project folder; or a checkpoint database from anywhere, which is only read.
    void open(const QString& path);
    void cancelOpening(); // what is being opened is not wanted any more; nothing is told of it
    void openSample(const QString& example); // copies it to the user's data folder where it is not yet
    [[nodiscard]] bool isOpen() const { return m_workbench != nullptr; }
    // No question is under way: what was asked for so far was answered. Cells and terminals go on.
    [[nodiscard]] bool isAtRest() const { return m_underWay == 0; }
    // A checkpoint database as a project of its own, in a folder that is new or empty.
    void copyDatabase(const QString& folder);
    void checkSandbox(); // asks again what a run would use; read-only projects run nothing
    void prepareRuntime(); // builds the sandbox's Python where it is missing; minutes. Once at a time

    [[nodiscard]] bool isPreparing() const { return m_isPreparing; }

    [[nodiscard]] const ProjectInfo& info() const { return m_info; }

    // For the clients alone.
    struct Pools {
        QThreadPool readers; // short questions
        QThreadPool slow; // previews, exports, image builds
        QThreadPool verbs; // what is done to sessions: nobody waits behind a preview to stop one
        QThreadPool
            looks; // questions to sandboxes, of which some never answer: others' readers wait for none
        QThreadPool keeping; // one at a time: saves, journal and notes follow the order of the edits
    };
    [[nodiscard]] Pools& pools() { return m_pools; }
    [[nodiscard]] LiveEvents& live() { return m_live; } // of whatever project is open
    [[nodiscard]] const std::shared_ptr<workbench::Workbench>& workbench() const { return m_workbench; }
    [[nodiscard]] const std::shared_ptr<projects::ProjectNotes>& notes() const { return m_notes; }
    [[nodiscard]] const std::shared_ptr<projects::EditJournal>& journal() const
    {
        return m_journal;
    } // or null
    [[nodiscard]] std::shared_ptr<history::UsageBook> usage(); // made at its first question
    [[nodiscard]] int generation() const { return m_generation; } // another one after each closing()
    void setInfo(ProjectInfo info) { m_info = std::move(info); }
    // `apply` gets what `work` gave on a worker thread, on the GUI thread, unless `context` is gone by then.
    // `counts`: 1, or 0 where nobody who wants the window at rest waits for it.
    template<typename Work, typename Apply>
    void run(QObject* context, QThreadPool& pool, Work work, Apply apply, int counts = 1)
    {
        using Result = std::invoke_result_t<Work&>;
        // A watcher, not QFuture::then(context, f): Qt 6.4 asserts there once the context is gone.
        auto* watcher = new QFutureWatcher<Result>(context);
        m_underWay += counts;
        connect(watcher, &QFutureWatcherBase::finished, context,
                [this, counts, watcher, apply = std::move(apply)]() mutable {
                    m_underWay -= counts;
                    watcher->deleteLater();
                    if (watcher->future().resultCount() > 0) // else it was taken out of the line
                        apply(watcher->future().takeResult());
                });
        watcher->setFuture(QtConcurrent::run(&pool, std::move(work)));
    }
    // A cell of the window's own writes to the database from here on, or did so until now.
    void noteCell(const QString& thread, bool isRunning);
    // Ends on a worker thread, as it may take long.
    void retire(std::shared_ptr<void> part);

Q_SIGNALS:
    void closing(); // another project takes the place of the open one, which can still be asked
    void opened(const sg::ui::ProjectInfo& info);
    void openFailed(const sg::ui::UserError& error);
    // Behind openFailed(): its folder can only be read, and holds no runs to look at.
    void onlyReadable(const QString& folder);
    void sandboxChecked(const sg::ui::SandboxInfo& found); // after each opening, too
    void runtimeProgress(const sg::ui::RuntimeRow& row);
    void runtimeReady(const sg::ui::UserError& error); // `what` empty: ready
    void databaseChanged(); // by another program, or thinned out by this one
    void databaseCopied(const QString& folder, const sg::ui::UserError& error);
    void queryFailed(const sg::ui::UserError& error); // any client's question

private:
    void adopt(std::shared_ptr<workbench::Workbench> workbench,
               std::shared_ptr<projects::EditJournal> journal, ProjectInfo info);
    void followDatabase();
    [[nodiscard]] bool writesItself() const { return !m_running.isEmpty() || !m_cells.isEmpty(); }

    Pools m_pools;
    int m_underWay = 0; // questions, but those of cells and terminals
    int m_opens = 0; // projects that were asked for; the newest is taken
    int m_sandboxAsked = 0; // only the newest answer counts
    int m_generation = 0; // of the open project; answers to an older one are dropped
    std::shared_ptr<workbench::Workbench> m_workbench; // shared with questions under way
    std::shared_ptr<projects::ProjectNotes> m_notes; // the same
    std::shared_ptr<projects::EditJournal> m_journal; // the same; null: no graph
    std::shared_ptr<history::UsageBook> m_usage; // the same; null: not yet asked
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
