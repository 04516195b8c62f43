#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows.h"

#include <QHash>

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

// One question that a thread waits with.
struct WaitingRow {
    QString thread;
    QString checkpoint;
    int step = 0; // of the task that asks
    QString node;
    QString interrupt; // its id
    Value asked;
    double sinceMs = kUnknown;
};

// Two branches or threads side by side.
struct ComparisonRows {
    HistoryRows a;
    HistoryRows b;
    QString checkpointA; // the end of the way that is compared; empty: the newest
    QString checkpointB;
    Value valuesA;
    Value valuesB;
    int artifactsA = 0; // of the steps up to there
    int artifactsB = 0;
};

} // namespace sg::ui
