#pragma once

#include "core/workers/job_state.h"
#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

// Pools of workers behind the roles of graphs, as the queue's server tells of them.
namespace sg::ui {

struct WorkerRow {
    QString role;
    QString host; // the first part of its name
    QString name;
    int busy = 0;
    int slots = 0;
    qint64 done = 0; // jobs, since it started
    QString job; // one that it does now; empty: none
};

struct PoolRow {
    QString role;
    qint64 ready = 0; // jobs that nobody has started
    qint64 later = 0; // jobs whose time has not come
    qint64 running = 0;
    qint64 dead = 0;
    double oldestSeconds = 0; // of what waits
    bool isPaused = false;
    double rate = 0; // jobs a second; 0: no limit
    int atOnce = 0; // of all workers; 0: no limit
    qint64 done = 0; // since the role is known
    qint64 retried = 0; // likewise
    qint64 lost = 0; // likewise: jobs whose worker was lost
    int slots = 0; // of all its workers
    std::vector<WorkerRow> workers = {};
};

struct DeadLetterRow {
    QString role;
    QString job;
    QString why;
    int attempts = 0;
    double timeMs = kUnknown;
};

// All pools at one moment.
struct PoolsLook {
    bool isConfigured = false; // false: no queue is named, so nothing was asked
    QString address; // without password
    QString queue; // the namespace
    UserError error; // `what` empty: the server answered
    double latencyMs = kUnknown;
    QString persistence; // "AOF each second"; empty: the server does not tell
    double timeMs = kUnknown; // of this look
    std::vector<PoolRow> pools = {};
    std::vector<DeadLetterRow> dead = {}; // newest first
    qint64 deadInAll = 0; // may be more than `dead` holds
};

struct StoryLineRow {
    double timeMs = kUnknown;
    workers::StoryLine::Kind kind = workers::StoryLine::Kind::Added;
    QString worker;
    QString text;
    int attempt = 0; // of a start
    double waitSeconds = 0; // of a retry
};

struct JobStoryRow {
    QString role;
    QString job;
    UserError error;
    std::optional<workers::JobState> state = {}; // nullopt: a word of another version
    int attempts = 0;
    int most = 1;
    QString partition;
    QString payload; // for people: what the task is, and its input
    qint64 payloadBytes = 0;
    bool isWhole = true;
    std::vector<StoryLineRow> lines = {};
};

// A change of how a role's pool works. Negative: as it is.
struct PoolChange {
    QString role;
    int paused = -1; // 0 or 1
    double rate = -1;
    int atOnce = -1;
    QStringList requeued = {}; // dead letters that are tried again
    QStringList discarded = {}; // dead letters that are thrown away
};

} // namespace sg::ui
