#pragma once

#include "ui/bridge/rows/rows.h"

#include <cstddef>
#include <vector>

namespace sg::ui {

// A task that a replay would run. What is known of its last run stands with it; the node of a later superstep
// is a guess: it ran there on the branch that the plan compares with.
struct PlannedTask {
    int step = 0;
    QString node;
    QString outcome; // of its last run from here, as in TaskRow; empty: it did not run yet
    double seconds = kUnknown; // of that run
};

struct ReplayPlan {
    QString thread;
    QString checkpoint; // empty: there is no such checkpoint
    int step = 0;
    QStringList after; // nodes that made the checkpoint
    std::vector<PlannedTask> next; // exactly the next superstep
    std::vector<PlannedTask> reused; // of that superstep: they do not run, what they wrote counts
    std::vector<PlannedTask> later; // at most kMostLater
    int moreLater = 0; // left out of `later`
    QString sandbox; // as in CheckpointRow
    QString sandboxNote;
    int shared = 0; // checkpoints that the new branch shares with the old ones, this one included
};

inline constexpr int kMostLater = 40;

// How many supersteps after the checkpoint each of `plan.later` would run, by their order alone: 1, 2 … The
// numbers that a database holds may be any.
std::vector<std::size_t> laterPlaces(const ReplayPlan& plan);

// How far it runs.
struct ReplayAim {
    enum class Until { End, Step, Before };
    Until until = Until::End;
    QString node; // of Before
};
// The same plan as far as that: of what comes later only what runs before.
ReplayPlan limited(ReplayPlan plan, const ReplayAim& aim);

// Where `node` ran last on the way to `checkpoint`, or what is looked at where it would run next: the
// checkpoint from which its superstep began. Empty: it did not run.
QString lastStartOf(const HistoryRows& history, const QString& checkpoint, const QString& node);

// `history` oldest first, as the bridge gives it.
ReplayPlan planReplay(const HistoryRows& history, const QString& checkpoint);
// The same where `node` alone runs again: the others of its superstep are reused as far as they finished.
ReplayPlan planRerun(const HistoryRows& history, const QString& checkpoint, const QString& node);

enum class ReplayRefusal {
    None,
    NoCheckpoint,
    NothingLeft, // no node would run
    WaitsForAnswer, // the newest checkpoint, and a person is asked: Resume is the verb
};
ReplayRefusal replayRefusal(const HistoryRows& history, const QString& checkpoint);

} // namespace sg::ui
