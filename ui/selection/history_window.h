#pragma once

#include "ui/selection/history_model.h"

#include <QSet>

namespace sg::ui {

// The part of a long history that other panels look at: the way to `mark` from the input of its run, at most
// `before` checkpoints of it, what was made from it on its newest branch, at most `after`, and the head.
HistoryRows historyAround(const HistoryModel& model, int mark, int before, int after);

// The newest child; kNone: there is none.
int newestChild(const HistoryModel& model, int mark);

// The newest that a superstep from there made; itself: none did.
int madeFrom(const HistoryModel& model, int mark);

// The newest checkpoint made by then, else the first; kNone: there are none.
int markAtTime(const HistoryModel& model, double timeMs);

// The newest made by then on the way to the end of that lane, else the first of the way. Empty model: kNone.
int markOnWay(const HistoryModel& model, int lane, double timeMs);

// When the last task that began at that mark ended, or the present where one still runs; not a number: none
// did.
double endOfWork(const HistoryModel& model, int mark, double nowMs);

// How long after the first task that began at that mark; before it: after the mark itself.
double secondsInto(const HistoryModel& model, int mark, double timeMs);

// Those of the checkpoints that lie before `mark` on its way from the root.
QSet<QString> passedBefore(const HistoryModel& model, int mark, const QSet<QString>& checkpoints);

} // namespace sg::ui
