#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <algorithm>
#include <vector>

namespace sg::ui {

// The checkpoints from the input of a run to `checkpoint` (empty for the newest), oldest first. Earlier runs
// of the thread are left out. Empty if the checkpoint is not among the rows.
inline std::vector<const CheckpointRow*> wayTo(const HistoryRows& history, const QString& checkpoint)
{
    const std::vector<CheckpointRow>& rows = history.checkpoints;
    QHash<QString, const CheckpointRow*> byId; // filled when it is first needed
    const auto find = [&](const QString& id) {
        if (byId.isEmpty())
            for (const CheckpointRow& row : rows)
                byId.insert(row.id, &row);
        return byId.value(id);
    };
    const auto parentOf = [&](const CheckpointRow& row) { // usually the row before
        return &row != rows.data() && (&row - 1)->id == row.parent ? &row - 1 : find(row.parent);
    };
    const CheckpointRow* at = rows.empty()                     ? nullptr
        : checkpoint.isEmpty() || rows.back().id == checkpoint ? &rows.back()
                                                               : find(checkpoint);
    std::vector<const CheckpointRow*> way;
    // A damaged store may hold a cycle, but no way is longer than the number of checkpoints.
    while (at != nullptr && way.size() < rows.size()) {
        way.push_back(at);
        at = at->source == checkpoint::Source::Input ? nullptr : parentOf(*at);
    }
    std::ranges::reverse(way);
    return way;
}

} // namespace sg::ui
