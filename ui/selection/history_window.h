#pragma once

#include "ui/selection/history_model.h"

#include <QSet>

namespace sg::ui {

// The part of a long history that other panels look at: the way to `mark` from the input of its run, at most
// `before` checkpoints of it, what was made from it on its newest branch, at most `after`, and the head.
HistoryRows historyAround(const HistoryModel& model, int mark, int before, int after);

// Returns the newest child; kNone: there is none.
int newestChild(const HistoryModel& model, int mark);

// Returns the newest checkpoint that a superstep from `mark` made; `mark` itself if none did.
int madeFrom(const HistoryModel& model, int mark);

// Returns the newest checkpoint made by then, else the first; kNone: there are none.
int markAtTime(const HistoryModel& model, double timeMs);

// Returns the newest checkpoint made by then on the way to the end of that lane, else the first of that way.
// Empty model: kNone.
int markOnWay(const HistoryModel& model, int lane, double timeMs);

// Returns when the last task that began at that mark ended, or the present if one still runs. NaN: none
// began.
double endOfWork(const HistoryModel& model, int mark, double nowMs);

// Returns how long after the start of the first task at that mark; for an earlier time, how long after the
// mark itself.
double secondsInto(const HistoryModel& model, int mark, double timeMs);

// Returns those of `checkpoints` that lie before `mark` on its way from the root.
QSet<QString> passedBefore(const HistoryModel& model, int mark, const QSet<QString>& checkpoints);

} // namespace sg::ui
