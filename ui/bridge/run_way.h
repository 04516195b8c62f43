#pragma once

#include "ui/bridge/history_rows.h"

#include <algorithm>
#include <vector>

namespace sg::ui {

// The checkpoints from the input of its run to that one (empty: the newest), oldest first; what an earlier
// run of the thread did is over. Empty: it is not among the rows.
inline std::vector<const CheckpointRow*> wayTo(const HistoryRows& history, const QString& checkpoint)
{
    QHash<QString, const CheckpointRow*> byId;
    for (const CheckpointRow& row : history.checkpoints)
        byId.insert(row.id, &row);
    const CheckpointRow* at = checkpoint.isEmpty()
        ? (history.checkpoints.empty() ? nullptr : &history.checkpoints.back())
        : byId.value(checkpoint);
    std::vector<const CheckpointRow*> way;
    // A damaged store may hold a circle: no way is longer than there are checkpoints.
    while (at != nullptr && way.size() < history.checkpoints.size()) {
        way.push_back(at);
        at = at->source == QLatin1String("input") ? nullptr : byId.value(at->parent);
    }
    std::ranges::reverse(way);
    return way;
}

} // namespace sg::ui
