#pragma once

#include "ui/bridge/rows/rows.h"

#include <cstddef>
#include <vector>

namespace sg::ui {

enum class ReplayVerb { Replay, Fork, Rerun };
QString wordOf(ReplayVerb verb); // on its button

// A task that a replay would run, with the result of its last run. Nodes of later supersteps are a guess:
// they ran there on the compared branch.
struct PlannedTask {
    int step = 0;
    QString node;
    TaskOutcome outcome = TaskOutcome::Unknown; // of its last run from here, if there was one
    double seconds = kUnknown; // of that run
};

struct ReplayPlan {
    QString thread;
    QString checkpoint; // empty if it does not exist
    int step = 0;
    QStringList after; // nodes that made the checkpoint
    std::vector<PlannedTask> next; // exactly the next superstep
    std::vector<PlannedTask> reused; // of that superstep: not run again, their writes count
    std::vector<PlannedTask> later; // at most kMostLater
    int moreLater = 0; // number of tasks left out of `later`
    SandboxMark sandbox = SandboxMark::Unused;
    QString sandboxNote;
    int shared = 0; // checkpoints that the new branch shares with the old one, including this one
};

inline constexpr int kMostLater = 40;

// The position of each later task's superstep behind the next superstep: 1, 2, … It is counted, because step
// numbers in a foreign database may be anything.
std::vector<std::size_t> laterPlaces(const ReplayPlan& plan);

// The end of a replay.
struct ReplayAim {
    enum class Until { End, Step, Before };
    Until until = Until::End;
    QString node; // for Until::Before
};
// The part of the plan that runs before that end.
ReplayPlan limited(ReplayPlan plan, const ReplayAim& aim);

// The checkpoint from which `node` last ran on the way to `checkpoint`, or `checkpoint` itself if the node
// runs next. Empty if it did not run.
QString lastStartOf(const HistoryRows& history, const QString& checkpoint, const QString& node);

// `history` must be oldest first.
ReplayPlan planReplay(const HistoryRows& history, const QString& checkpoint);
// The plan if `node` alone runs again: finished tasks of its superstep are reused.
ReplayPlan planRerun(const HistoryRows& history, const QString& checkpoint, const QString& node);

enum class ReplayRefusal {
    None,
    NoCheckpoint,
    NothingLeft, // no node would run
    WaitsForAnswer, // the newest checkpoint waits for an answer, so Resume is the right action
};
ReplayRefusal replayRefusal(const HistoryRows& history, const QString& checkpoint);

} // namespace sg::ui
