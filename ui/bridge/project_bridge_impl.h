#pragma once

// The bridge's insides, shared by the files that implement it.

#include "core/history/search.h"
#include "core/history/usage_book.h"
#include "core/projects/edit_journal.h"
#include "core/projects/project_notes.h"
#include "core/runs/code_check.h"
#include "ui/bridge/artifact_preview.h"
#include "ui/bridge/artifact_query.h"
#include "ui/bridge/database_watch.h"
#include "ui/bridge/live_events.h"
#include "ui/bridge/log_query.h"
#include "ui/bridge/project_bridge.h"
#include "ui/bridge/project_query.h"
#include "ui/bridge/terminal_line.h"
#include "ui/bridge/world_query.h"

#include <QFileSystemWatcher>
#include <QFutureWatcher>
#include <QThreadPool>
#include <QTimer>
#include <QtConcurrentRun>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

namespace sg::ui {

struct ProjectBridge::Impl {
    explicit Impl(ProjectBridge* bridge)
        : owner(bridge)
    {
        readers.setMaxThreadCount(3);
        slow.setMaxThreadCount(2);
        verbs.setMaxThreadCount(4);
        looks.setMaxThreadCount(2);
        cells.setMaxThreadCount(16);
        editing.setMaxThreadCount(1);
        staging.setMaxThreadCount(1);
        pictures.setMaxThreadCount(1);
        sums.setMaxThreadCount(1);
        terminals.setMaxThreadCount(16);
        settle.setSingleShot(true);
        settle.setInterval(200);
    }

    // Runs `work` on a worker thread and `apply` on the GUI thread, unless another project is open by then.
    template<typename Work, typename Apply>
    void ask(QThreadPool& pool, Work work, Apply apply)
    {
        using Result = std::invoke_result_t<Work>;
        askAlways(pool, std::move(work), [this, asked = generation, apply = std::move(apply)](Result result) {
            if (asked == generation)
                apply(std::move(result));
        });
    }

    // The same, whatever is open by then: for questions whose every answer is counted.
    template<typename Work, typename Apply>
    void askAlways(QThreadPool& pool, Work work, Apply apply)
    {
        using Result = std::invoke_result_t<Work>;
        auto* watcher = new QFutureWatcher<Result>(owner);
        const int counts = &pool == &cells || &pool == &terminals ? 0 : 1;
        underWay += counts;
        QObject::connect(watcher, &QFutureWatcherBase::finished, owner,
                         [this, counts, watcher, apply = std::move(apply)]() mutable {
                             underWay -= counts;
                             watcher->deleteLater();
                             if (watcher->future().resultCount() > 0) // else it was taken out of the line
                                 apply(watcher->future().takeResult());
                         });
        watcher->setFuture(QtConcurrent::run(&pool, std::move(work)));
    }

    std::shared_ptr<history::Search> searchOf()
    {
        if (!search)
            search =
                std::make_shared<history::Search>(workbench->history(), workbench->project().checkpoints);
        return search;
    }

    std::shared_ptr<history::UsageBook> usageOf()
    {
        if (!usage)
            usage =
                std::make_shared<history::UsageBook>(workbench->history(), workbench->project().checkpoints);
        return usage;
    }

    // What was asked of the database ends, without an answer that counts.
    void stopAsking()
    {
        for (std::stop_source* each : { &searching, &askingSql, &readingAhead, &summing })
            each->request_stop();
        nextUsage.reset();
    }

    void tellLog(const QString& thread, const std::vector<LogRow>& rows)
    {
        if (logReading && logReading->generation == generation && logReading->thread == thread)
            logReading->live.insert(logReading->live.end(), rows.begin(), rows.end());
        Q_EMIT owner->logAppended(thread, rows);
    }

    ProjectBridge* const owner;
    QThreadPool readers; // short questions
    QThreadPool staging; // one at a time: answers come in the order of the questions
    QThreadPool pictures; // thumbnails, beside everything else
    QThreadPool sums; // of what models took: the first reads a thread's whole history
    QThreadPool editing; // one at a time: saves and the journal follow the order of the edits
    QThreadPool slow; // previews, exports, image builds
    QThreadPool verbs; // what is done to sessions: nobody waits behind a preview to stop one
    QThreadPool looks; // questions to sandboxes, of which some never answer: others' readers wait for none
    int underWay = 0; // questions, but those of cells and terminals
    int opens = 0; // projects that were asked for; the newest is taken
    int generation = 0; // of the open project; answers to an older one are dropped
    struct LogReading {
        int generation;
        QString thread;
        std::vector<LogRow> live; // that came meanwhile
    };
    std::optional<LogReading> logReading; // the newest one, while it is under way
    quint64 logs = 0; // the newest request for a log
    quint64 artifactLists = 0; // the newest request for a list of artifacts
    quint64 sessionLists = 0; // the newest request for the sessions
    quint64 previews = 0; // the newest preview request
    quint64 columnFacts = 0; // the newest request for a table's columns
    quint64 texts = 0; // the newest request for a session's file
    quint64 checks = 0; // the newest check request
    quint64 reloads = 0; // the newest reading of the graph's file
    // The newest state request; jobs look at it.
    std::shared_ptr<std::atomic<quint64>> states = std::make_shared<std::atomic<quint64>>(0);
    quint64 histories = 0; // the newest history request
    quint64 wholes = 0; // the newest request for all of one
    quint64 traces = 0; // the newest question where a value came from
    quint64 watches = 0; // the newest watch expression
    quint64 comparisons = 0; // the newest comparison
    quint64 waiting = 0; // the newest question what waits
    quint64 inner = 0; // the newest request for a subgraph's history
    std::shared_ptr<history::Search> search; // of the open project; made at its first question
    std::shared_ptr<history::UsageBook> usage; // the same
    std::stop_source searching; // the newest search; an older one ends
    std::stop_source askingSql;
    std::stop_source readingAhead;
    std::stop_source summing;
    bool hasReadAhead = false; // of the open project
    quint64 searches = 0;
    quint64 sqls = 0;
    bool readsUsage = false; // one at a time
    QString usageThread; // whose
    std::optional<std::pair<QString, QString>> nextUsage; // thread and checkpoint to be asked for then
    quint64 raws = 0;
    bool readsWorld = false; // one at a time: a copy of an interpreter may be slow to describe its names
    std::optional<WorldWanted> nextWorld; // to be asked for then
    std::shared_ptr<workbench::Workbench> workbench; // shared with questions under way
    std::shared_ptr<projects::ProjectNotes> notes; // the same
    std::shared_ptr<projects::EditJournal> journal; // the same, by the questions of `editing`; null: no graph
    std::shared_ptr<ArtifactPreviewer> previewer;
    std::unique_ptr<LiveEvents> live;
    std::map<QString, RunId> running; // thread → its run
    QThreadPool cells; // of the console: each waits for its code
    std::map<QString, std::stop_source> cellStops; // thread → of its cell under way
    QThreadPool terminals; // each waits for its shell
    std::vector<std::weak_ptr<TerminalLine>> lines; // of terminals
    quint64 completions = 0; // the newest request
    QFileSystemWatcher files;
    QTimer settle; // editors write in several steps
    DatabaseWatch follow; // whether another program has written to the database
    bool isLooking = false; // at its files
    QString databaseMark; // its files' sizes and times when they were last looked at
    QStringList stagedFolders; // of files that no program may be reading: removed at the end
    ProjectInfo info;
    std::string checkedText; // of the graph, when it was checked last
    std::shared_ptr<const runs::CodeFaults> codeFaults =
        std::make_shared<const runs::CodeFaults>(); // what Python said of the code files
    quint64 codeChecks = 0; // the newest question to Python
    QStringList code; // files that were loaded: they are followed
};

} // namespace sg::ui
