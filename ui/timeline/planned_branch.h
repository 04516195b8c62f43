#pragma once

#include <QString>

#include <vector>

namespace sg::ui {

// The branch that a replay or a fork would make, superstep by superstep, as it is previewed.
struct PlannedBranch {
    struct Task {
        QString node;
        enum class Fate { Runs, Asks, Reused } fate = Fate::Runs;
    };
    QString checkpoint; // that it begins from; empty: nothing is previewed
    QString note; // "kernel changed"
    std::vector<std::vector<Task>> steps;
};

} // namespace sg::ui
