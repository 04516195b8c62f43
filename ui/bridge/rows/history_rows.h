#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/usage_rows.h"

#include <QHash>

#include <cstddef>
#include <optional>

// Rows about the past, besides the checkpoints themselves.
namespace sg::ui {

// The checkpoint from which on the state held a value, until the next change.
struct ValueOriginRow {
    QString checkpoint;
    int step = 0;
    Word<checkpoint::Source> source = {};
    QStringList writtenBy;
    Value value;
    bool isMissing = false; // the state had no value there
};

struct ValueTraceRows {
    QString thread;
    QString checkpoint; // where the question started
    QString pointer; // "/messages/3"
    std::vector<ValueOriginRow> origins; // newest first
    bool isWhole = false; // the last row is the value's beginning
};

// Labels and bookmarks that people added to the history.
struct ThreadNoteRow {
    QString label; // empty if there is none
    QHash<QString, QString> bookmarks; // checkpoint → note
};
using NoteRows = QHash<QString, ThreadNoteRow>; // by thread

// A question that a thread waits with, or a breakpoint that stopped it.
struct WaitingRow {
    QString thread;
    QString checkpoint;
    int step = 0; // of the task that asks
    QString node;
    QString interrupt; // id; empty for a breakpoint, then `node` names the next nodes
    Value asked;
    double sinceMs = kUnknown;

    [[nodiscard]] bool isPause() const { return interrupt.isEmpty() && asked.isNull(); }
};

// Two branches or threads, compared side by side.
struct ComparisonRows {
    HistoryRows a;
    HistoryRows b;
    QString checkpointA; // the end of the compared way; empty for the newest
    QString checkpointB;
    std::optional<std::size_t> parting; // the first position in both ways where the states differ
    Value valuesA;
    Value valuesB;
    int artifactsA = 0; // of the steps up to there
    int artifactsB = 0;
    double peakMemoryA = kUnknown; // the session's highest use, in bytes, during these steps
    double peakMemoryB = kUnknown;
    UsageRow usageA = {}; // of the models in these steps
    UsageRow usageB = {};
    QString currency = {};
};

// A result of a jq program for each state of a way. It comes in parts.
struct WatchPoint {
    QString checkpoint;
    double number = kUnknown; // if it is a number or a boolean
    QString text; // shortened; JSON if the result is no text
    QString error; // of this state alone
};
struct WatchRows {
    QString thread;
    QString program;
    std::vector<WatchPoint> points;
    QString error; // of the program itself; then there are no points
    bool isLast = false;
};

// The time of one run.
struct RunSpan {
    QString run;
    double fromMs = kUnknown;
    double toMs = kUnknown; // kUnknown if it runs, or its process died
    RunStatus status = RunStatus::Unknown;
    int steps = 0;
};
// The time in which a session of the thread lived.
struct SessionSpan {
    QString session;
    double fromMs = kUnknown;
    double toMs = kUnknown; // kUnknown if it lives
};
struct OverviewRow {
    QString thread;
    RunStatus status = RunStatus::Unknown;
    double updatedMs = kUnknown;
    qint64 checkpoints = 0;
    std::vector<RunSpan> runs; // oldest first
    std::vector<SessionSpan> sessions; // oldest first
};

} // namespace sg::ui
