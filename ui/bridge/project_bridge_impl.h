#pragma once

// The bridge's insides, shared by the files that implement it.

#include "core/workbench/project_notes.h"
#include "ui/bridge/artifact_preview.h"
#include "ui/bridge/artifact_query.h"
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
        editing.setMaxThreadCount(1);
        staging.setMaxThreadCount(1);
        pictures.setMaxThreadCount(1);
        terminals.setMaxThreadCount(16);
        settle.setSingleShot(true);
        settle.setInterval(200);
        follow.setInterval(1000);
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
        QObject::connect(watcher, &QFutureWatcherBase::finished, owner,
                         [watcher, apply = std::move(apply)]() mutable {
                             watcher->deleteLater();
                             if (watcher->future().resultCount() > 0) // else it was taken out of the line
                                 apply(watcher->future().takeResult());
                         });
        watcher->setFuture(QtConcurrent::run(&pool, std::move(work)));
    }

    ProjectBridge* const owner;
    QThreadPool readers; // short questions
    QThreadPool staging; // one at a time: answers come in the order of the questions
    QThreadPool pictures; // thumbnails, beside everything else
    QThreadPool editing; // one at a time: saves and the journal follow the order of the edits
    QThreadPool slow; // previews, exports, image builds
    int generation = 0; // of the open project; answers to an older one are dropped
    quint64 previews = 0; // the newest preview request
    quint64 columnFacts = 0; // the newest request for a table's columns
    quint64 texts = 0; // the newest request for a session's file
    quint64 checks = 0; // the newest check request
    quint64 states = 0; // the newest state request
    quint64 histories = 0; // the newest history request
    quint64 wholes = 0; // the newest request for all of one
    quint64 traces = 0; // the newest question where a value came from
    quint64 watches = 0; // the newest watch expression
    quint64 comparisons = 0; // the newest comparison
    quint64 waiting = 0; // the newest question what waits
    quint64 inner = 0; // the newest request for a subgraph's history
    bool readsWorld = false; // one at a time: a copy of an interpreter may be slow to describe its names
    std::optional<std::pair<QString, QString>> nextWorld; // thread and checkpoint to be asked for then
    std::shared_ptr<workbench::Workbench> workbench; // shared with questions under way
    std::shared_ptr<workbench::ProjectNotes> notes; // the same
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
    QTimer follow; // looks whether another program has written to the database
    QString databaseMark; // its files' sizes and times when they were last looked at
    QStringList stagedFolders; // of files that no program may be reading: removed at the end
    ProjectInfo info;
    QStringList code; // files that were loaded: they are followed
};

} // namespace sg::ui
