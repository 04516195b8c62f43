#pragma once

#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/timeline/timeline_panel.h"

namespace sg::ui {

// The timeline with what it shows, as the window puts them together.
struct ShownTimeline {
    void show(const HistoryRows& rows)
    {
        selection.setThread(rows.thread);
        history.take(rows);
    }
    void add(const std::vector<CheckpointRow>& rows) { history.add(selection.thread(), rows); }
    void changeTasks(const std::vector<TaskRow>& rows) { history.changeTasks(selection.thread(), rows); }

    Selection selection;
    ShownHistory history{ selection };
    TimelinePanel panel{ history };
};

} // namespace sg::ui
