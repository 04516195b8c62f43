#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <vector>

// What the panels of sessions take beside SessionRow.
namespace sg::ui {

struct SessionLimits {
    double memoryBytes = 0;
    int pids = 0;
    double cpus = 0;
};

struct ProcessList {
    QString session;
    std::vector<ProcessRow> rows; // the largest first
    qint64 total = 0;
    QString problem; // why they are not known; empty: they are
};

// How a cell of the console ended.
struct CellEnd {
    bool isWell = false;
    QString value; // of its last expression, as text; empty: none
    QString error; // traceback and reason
    double seconds = 0;
    int artifacts = 0;
    bool isRestarted = false; // a fresh interpreter: names are gone
};

// A text file of a session, up to 1 MB.
struct SessionText {
    QString thread;
    QString checkpoint; // empty: the head
    QString session = {}; // of the thread: empty its own, "node NAME", "run"
    QString path; // beneath /session
    QString text; // with line feeds alone
    QString hash; // of what was read; empty: it is not known, or does not matter
    bool hasCarriageReturns = false; // in the file
    bool isLive = false; // of the session that runs: it can be saved
    QString problem; // why there is no text; empty: there is
};

struct CodeCompletion {
    QString code; // what was asked about
    int cursor = 0;
    int start = 0; // the matches stand for [start, end)
    int end = 0;
    QStringList matches;
};

} // namespace sg::ui
