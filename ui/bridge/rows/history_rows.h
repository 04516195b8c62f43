#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/usage_rows.h"

#include <QHash>

#include <cstddef>
#include <optional>

// What the bridge tells of the past besides the checkpoints themselves.
namespace sg::ui {

// A checkpoint from which on the state held a value, until the next change.
struct ValueOriginRow {
    QString checkpoint;
    int step = 0;
    QString source; // "input", "loop", "update", "fork"
    QStringList writtenBy;
    Value value;
    bool isMissing = false; // there was none
};

struct ValueTraceRows {
    QString thread;
    QString checkpoint; // asked from
    QString pointer; // "/messages/3"
    std::vector<ValueOriginRow> origins; // newest first
    bool isWhole = false; // the last one is the value's beginning
};

// What people wrote beside the history.
struct ThreadNoteRow {
    QString label; // empty: none
    QHash<QString, QString> bookmarks; // checkpoint → note
};
using NoteRows = QHash<QString, ThreadNoteRow>; // by thread

// One question that a thread waits with; or what a breakpoint holds it before.
struct WaitingRow {
    QString thread;
    QString checkpoint;
    int step = 0; // of the task that asks
    QString node;
    QString interrupt; // its id; empty: of a breakpoint, `node` is what runs next
    Value asked;
    double sinceMs = kUnknown;

    [[nodiscard]] bool isPause() const { return interrupt.isEmpty() && asked.isNull(); }
};

// Two branches or threads side by side.
struct ComparisonRows {
    HistoryRows a;
    HistoryRows b;
    QString checkpointA; // the end of the way that is compared; empty: the newest
    QString checkpointB;
    std::optional<std::size_t> parting; // the first place on both ways at which the states differ
    Value valuesA;
    Value valuesB;
    int artifactsA = 0; // of the steps up to there
    int artifactsB = 0;
    double peakMemoryA = kUnknown; // bytes that the session used at most while the way's steps ran
    double peakMemoryB = kUnknown;
    UsageRow usageA = {}; // of the models on the way
    UsageRow usageB = {};
    QString currency = {};
};

// What one jq program says of the states along a way. A part of it: the rest comes later.
struct WatchPoint {
    QString checkpoint;
    double number = kUnknown; // where it is one, or true and false
    QString text; // short; as JSON where it is no text
    QString error; // of this state alone
};
struct WatchRows {
    QString thread;
    QString program;
    std::vector<WatchPoint> points;
    QString error; // of the program itself: there are no points
    bool isLast = false;
};

// One run of a thread, on the clock.
struct RunSpan {
    QString run;
    double fromMs = kUnknown;
    double toMs = kUnknown; // kUnknown: it runs, or its process died
    QString status;
    int steps = 0;
};
// When a session of a thread lived.
struct SessionSpan {
    QString session;
    double fromMs = kUnknown;
    double toMs = kUnknown; // kUnknown: it lives
};
struct OverviewRow {
    QString thread;
    QString status;
    double updatedMs = kUnknown;
    qint64 checkpoints = 0;
    std::vector<RunSpan> runs; // oldest first
    std::vector<SessionSpan> sessions; // oldest first
};

} // namespace sg::ui
