#pragma once

#include "ui/replay/replay_plan.h"

#include <QHash>
#include <QSet>
#include <QStringList>

namespace sg::ui {

// The effects that the graph's nodes can have.
struct Reach {
    QHash<QString, QString> kinds; // node → kind
    QSet<QString> withCode; // subgraphs that run code in a sandbox
    QString mode; // of the sessions: "Memory · Local data"
    QStringList hosts; // hosts that sandboxes can reach
};

// One line for each effect with its count: of the certain tasks, then of those that may follow.
QStringList sideEffects(const ReplayPlan& plan, const Reach& reach);
// The state in which the branch gets its sandbox; empty if no session was used.
QString sandboxFate(const ReplayPlan& plan, rewind::SandboxChoice choice);

} // namespace sg::ui
