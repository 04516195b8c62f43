#pragma once

#include <QString>

#include <vector>

namespace sg::ui {

struct TraceFrame {
    QString file; // as Python names it
    int line = 0;
    QString function; // empty if it is not told
    QString code; // the line itself; empty if Python could not read it
    bool isLibrary = false; // nobody's code of this project
};

// Python's account of an exception: the calls, the outermost first, and the error that was raised. Of a chain
// of exceptions the last one counts.
struct Traceback {
    std::vector<TraceFrame> frames;
    QString message; // "MemoryError: unable to allocate"; may have several lines
};

Traceback tracebackOf(const QString& text);

// "4 library frames  sklearn 2, numpy 2; the last is numpy/core/_exceptions.py:12"
QString librarySummary(const std::vector<TraceFrame>& frames);

} // namespace sg::ui
