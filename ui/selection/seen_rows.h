#pragma once

#include "ui/bridge/rows/rows.h"

#include <vector>

namespace sg::ui {

// The part of a history that panels see as rows, while a run adds to it. A run that goes on for long leaves
// behind what nobody looks at there: the model of the history knows it all.
class SeenRows {
public:
    void set(HistoryRows rows); // a part of a history does not name the graph's nodes: those of before stay
    void add(const std::vector<CheckpointRow>& added); // known ones are renewed
    void changeTasks(const std::vector<TaskRow>& changed);
    [[nodiscard]] const HistoryRows& rows() const { return m_rows; }

private:
    void forgetOld();

    HistoryRows m_rows;
};

} // namespace sg::ui
