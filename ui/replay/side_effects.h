#pragma once

#include "ui/replay/replay_plan.h"

#include <QHash>
#include <QSet>
#include <QStringList>

namespace sg::ui {

// What the sandbox does before the first task: as the project's runs name it.
inline constexpr const char* kSandboxRestored = ""; // as this step left it, as far as it can be had
inline constexpr const char* kSandboxExact = "exact"; // the same, or nothing runs
inline constexpr const char* kSandboxStored = "stored"; // from what was written out
inline constexpr const char* kSandboxFresh = "fresh"; // empty
inline constexpr const char* kSandboxKept = "keep"; // as it stands now

// What the graph's nodes can reach.
struct Reach {
    QHash<QString, QString> kinds; // of the nodes
    QSet<QString> withCode; // subgraphs that run code in a sandbox
    QString mode; // of its sessions: "Memory · Local data"
    QStringList hosts; // of the network; empty: none
};

// A line each, with counts: of what is planned for certain and what may follow.
QStringList sideEffects(const ReplayPlan& plan, const Reach& reach);
// What the branch finds in its sandbox; empty where no session was used.
QString sandboxFate(const ReplayPlan& plan, const QString& choice);

} // namespace sg::ui
