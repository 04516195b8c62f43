#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/widgets/state_look.h"

namespace sg::ui {

QString stepText(int step); // "12", "−1"
QString stepName(int step); // "step 12"
QString taskName(const QString& node); // "on error of load" for the handler of a node's failures
QString nodeList(const QStringList& nodes); // "a, b, c and 4 more"

// "after load → next analyze", "input → next load", "after report → end".
QString checkpointLabel(const CheckpointRow& row);

// "after load → next analyze, step 2, 14:28:47", and what is kept of the sandbox below.
QString checkpointTip(const CheckpointRow& row);

inline Rewind rewindOf(SandboxMark sandbox)
{
    return sandbox == SandboxMark::Exact   ? Rewind::Exact
        : sandbox == SandboxMark::Restored ? Rewind::Restored
                                           : Rewind::None;
}

// "Sandbox: kept exactly, with every name"; empty where no session was used.
QString sandboxWords(const CheckpointRow& row);

// "visualize: Failed, step 13, 0.9 s, attempt 2", and the error below.
// `markMs`: when its superstep could begin.
QString taskTip(const TaskRow& row, double nowMs, double markMs = kUnknown);

// Returns words for screen readers: "Step 3 of 5, after analyze, next visualize".
QString checkpointSpoken(const CheckpointRow& row, int lastStep);

// Returns when its bar begins: a task that only asked a person begins with the question.
double taskStart(const TaskRow& row);

// Returns how long a task took, or takes until now; with the wait for the answer, if it only asked.
double taskSeconds(const TaskRow& row, double nowMs);

} // namespace sg::ui
