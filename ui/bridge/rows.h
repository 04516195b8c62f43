#pragma once

#include "core/base/value.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <vector>

// What the bridge hands to panels: plain copies, GUI thread only. Times are milliseconds since 1970 UTC.
namespace sg::ui {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// An error as people read it: what failed and where, why, what to do next.
struct UserError {
    QString what;
    QString detail; // long form, may be empty
    QString node = {}; // of the graph, where one failed
};

struct ThreadRow {
    QString thread;
    qint64 checkpoints = 0;
    double updatedMs = kUnknown;
    QString status; // "done", "interrupted", "failed", "stopped", "running", "unfinished"
};

struct CheckpointRow {
    QString id;
    QString parent; // empty: none
    int step = 0;
    QString source; // "input", "loop", "update", "fork"
    QStringList after; // nodes whose writes made it
    QStringList next;
    double timeMs = kUnknown;
    QString sandbox = {}; // how the session can be brought back to it: "exact", "restored", "none"; empty:
                          // not used
    QString sandboxNote = {}; // what would be missing
};

struct TaskRow {
    QString checkpoint; // the superstep's start
    QString task;
    QString node;
    int step = 0;
    QString outcome; // "running", "done", "failed", "interrupted", "stopped", "cached"
    double startedMs = kUnknown;
    double seconds = kUnknown;
    int attempts = 1;
    QString error; // one line
    QString detail; // traceback
};

struct HistoryRows {
    QString thread;
    std::vector<CheckpointRow> checkpoints; // oldest first
    std::vector<TaskRow> tasks; // by checkpoint, then by start
};

struct StateView {
    QString thread;
    QString checkpoint;
    QString parent; // empty: none, then everything is new
    int step = 0;
    bool isParent = true; // compared with the parent; else with the checkpoint that was asked for
    int parentStep = 0; // of the one compared with
    Value values; // map channel → value, exts as plain data
    Value parentValues; // of the one compared with
    QStringList next;
    std::vector<TaskRow> tasks;
    ValueList interrupts; // {"value", "id"}
};

struct LogRow {
    enum class Stream { Out, Err, Event };
    double timeMs = 0;
    int step = 0;
    QString node;
    Stream stream = Stream::Out;
    QString text; // one line, made printable
};

struct SampleRow {
    double timeMs = 0;
    double cpuPercent = 0; // 100 = one core
    double memoryBytes = 0;
    double memoryLimit = 0; // 0: none
    int pids = 0;
    int pidsLimit = 0;
};

struct SessionRow {
    QString session; // "s-41ab02"
    QString thread;
    QString backend; // "docker", "bubblewrap"
    QString isolation; // "container", "namespaces"
    bool weakLimits = false;
    QString state; // "idle", "busy", "ended: …"
    QString storage;
    QString datasets;
    double cpuLimit = 0; // cores
    double memoryLimit = 0;
    double startedMs = kUnknown;
};

struct ArtifactRow {
    QString id;
    QString name;
    QString path; // beneath /session/artifacts
    QString mime;
    QString sha256;
    qint64 size = 0;
    QString node;
    int step = 0;
    QString thread;
    double createdMs = kUnknown;
    QString blob; // file with the content, read-only
};

// What a preview shows, made off the GUI thread. Tables are cut to the first rows; `note` says so.
struct ArtifactPreview {
    enum class Kind { None, Image, Table, Text };
    Kind kind = Kind::None;
    QString artifact;
    QByteArray image; // encoded bytes
    QStringList columns;
    QStringList columnTypes;
    std::vector<QStringList> rows;
    qint64 totalRows = -1; // unknown
    QString text;
    QString note; // "first 200 of 344 rows", or why there is no preview
};

} // namespace sg::ui
