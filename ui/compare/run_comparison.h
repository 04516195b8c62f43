#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <optional>
#include <vector>

namespace sg::ui {

// Compares two runs or branches: what they share, where they diverge, and their results. Only the way to one
// checkpoint of each counts, within the run that made it. Pure.
struct NodeComparison {
    enum class Kind { Same, Changed, OnlyA, OnlyB };
    QString node;
    int runsA = 0;
    int runsB = 0;
    Kind kind = Kind::Same; // Changed: it ran on both sides, but after the first difference
};

struct ChannelComparison {
    enum class Kind { Same, Changed, OnlyA, OnlyB };
    QString channel;
    QString a; // shortened JSON; empty if there is no such channel
    QString b;
    Kind kind = Kind::Same;
    QString place = {}; // of all that differs, within the channel's value: "[3].text"; a and b are from there
};

struct RunFigures {
    int steps = 0;
    int tasks = 0;
    double seconds = kUnknown; // from the first to the last time
    double taskSeconds = 0; // of all tasks
    int retries = 0;
    int failures = 0;
    int artifacts = 0;
    double peakMemory = kUnknown; // bytes
    UsageRow usage = {}; // of models
};

struct RunComparison {
    QString currency; // of costs
    int shared = 0; // checkpoints common to both ways
    // The step at which nodes or their writes first differ; nothing if both ways are the same.
    std::optional<int> step;
    QStringList nodesA;
    QStringList nodesB;
    QString checkpointA; // the first checkpoint that only A has; empty if A ends there
    QString checkpointB;
    std::vector<NodeComparison> nodes; // in the order in which they first ran
    std::vector<ChannelComparison> channels;
    RunFigures a;
    RunFigures b;
};

RunComparison compareRuns(const ComparisonRows& rows);

} // namespace sg::ui
