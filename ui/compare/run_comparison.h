#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <optional>
#include <vector>

namespace sg::ui {

// Two runs or branches side by side: what they share, where they part, and what came of it. Pure; what is
// compared is the way to one checkpoint of each, within the run that made it.
struct NodeComparison {
    enum class Kind { Same, Changed, OnlyA, OnlyB };
    QString node;
    int runsA = 0;
    int runsB = 0;
    Kind kind = Kind::Same; // Changed: it ran on both sides, but behind the first difference
};

struct ChannelComparison {
    enum class Kind { Same, Changed, OnlyA, OnlyB };
    QString channel;
    QString a; // shortened JSON; empty: not there
    QString b;
    Kind kind = Kind::Same;
};

struct RunFigures {
    int steps = 0;
    int tasks = 0;
    double seconds = kUnknown; // from the first to the last moment
    double taskSeconds = 0; // of all tasks
    int retries = 0;
    int failures = 0;
    int artifacts = 0;
    double peakMemory = kUnknown; // bytes
    UsageRow usage = {}; // of models
};

struct RunComparison {
    QString currency; // of costs
    int shared = 0; // checkpoints on both ways
    // Where they part, by their nodes or by what these wrote; no step: they are the same.
    std::optional<int> step;
    QStringList nodesA;
    QStringList nodesB;
    QString checkpointA; // the first that only A has; empty: A ends there
    QString checkpointB;
    std::vector<NodeComparison> nodes; // in the order in which they first ran
    std::vector<ChannelComparison> channels;
    RunFigures a;
    RunFigures b;
};

RunComparison compareRuns(const ComparisonRows& rows);

} // namespace sg::ui
