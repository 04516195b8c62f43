#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <vector>

// Further rows for the panels of sessions.
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
    QString problem; // why the processes are unknown; empty if they are known
};

// The result of a cell of the console.
struct CellEnd {
    bool isWell = false;
    QString value; // of its last expression, as text
    QString error; // traceback and reason
    double seconds = 0;
    int artifacts = 0;
    bool isRestarted = false; // the interpreter was restarted: names are gone
};

// A text file of a session, up to 1 MB.
struct SessionText {
    QString thread;
    QString checkpoint; // empty for the head
    QString session = {}; // of the thread: empty for its own, "node NAME", "run"
    QString path; // beneath /session
    QString text; // only with line feeds
    QString hash; // of the file when it was read; empty if unknown or not needed
    bool hasCarriageReturns = false; // the file has CR LF
    bool isLive = false; // from the running session, so it can be saved
    QString problem; // why there is no text; empty if there is one
};

struct CodeCompletion {
    QString code; // the code to complete
    int cursor = 0;
    int start = 0; // the matches replace [start, end)
    int end = 0;
    QStringList matches;
};

} // namespace sg::ui
