#pragma once

#include "ui/widgets/state_look.h"

#include <QString>

#include <limits>

namespace sg::ui {

// The state that a run, breakpoints and checks give one node. Comparing two states tells what must be
// repainted.
struct NodeState {
    StateKind kind = StateKind::Idle;
    QString secondLine; // "Done 340 ms"; if empty, the state's word or what the node runs
    QString note; // right of the second line: "2nd run"
    double runningSinceMs = std::numeric_limits<double>::quiet_NaN(); // counted in the second line
    bool isUnreached = false; // idle, since the run ended before it
    bool isPast = false; // it ran at a moment that is over: nothing counts or turns
    QString tooltip; // the error's first line, the condition, …; added to the name
    bool breakpointBefore = false;
    bool breakpointAfter = false;
    QString breakCondition; // of the breakpoints; empty means always
    bool stale = false;
    bool pinned = false;
    bool isHeld = false; // arranging leaves the node where it is
    QString problem; // of the graph file, shown as a badge
    bool problemIsWarning = false;
};

inline bool sameNumber(double a, double b)
{
    return a == b || (a != a && b != b);
}

inline bool operator==(const NodeState& a, const NodeState& b)
{
    return a.kind == b.kind && a.secondLine == b.secondLine && a.note == b.note
        && sameNumber(a.runningSinceMs, b.runningSinceMs) && a.isUnreached == b.isUnreached
        && a.isPast == b.isPast && a.tooltip == b.tooltip && a.breakpointBefore == b.breakpointBefore
        && a.breakpointAfter == b.breakpointAfter && a.breakCondition == b.breakCondition
        && a.stale == b.stale && a.pinned == b.pinned && a.isHeld == b.isHeld && a.problem == b.problem
        && a.problemIsWarning == b.problemIsWarning;
}

enum class EdgeLook {
    Idle, // no run is shown
    Taken,
    NotTaken,
};

} // namespace sg::ui
