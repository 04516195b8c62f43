#pragma once

#include "ui/bridge/rows.h"
#include "ui/widgets/state_look.h"

#include <QHash>

#include <cstddef>
#include <set>
#include <vector>

namespace sg::ui {

// A thread's checkpoints as branches. A checkpoint goes on in its parent's lane unless another one already
// did: then it opens a lane of its own, as a fork. Along a lane columns grow by one, so that a column finds
// its mark at once.
class TimelineModel {
public:
    static constexpr int kNone = -1;

    struct Mark {
        CheckpointRow row;
        int parent = kNone; // mark
        int lane = 0;
        int column = 0;
    };
    struct Lane {
        int forkedFrom = kNone; // mark of another lane
        int firstColumn = 0;
        std::vector<int> marks; // one a column
    };
    struct LaneState {
        StateKind kind = StateKind::Idle;
        QString words; // "Failed at step 11"
    };

    void clear(const QString& thread = {});
    void reset(const HistoryRows& rows);
    void add(const std::vector<CheckpointRow>& rows); // known ones are renewed
    void changeTasks(const std::vector<TaskRow>& rows);

    [[nodiscard]] const QString& thread() const { return m_thread; }
    [[nodiscard]] bool isEmpty() const { return m_marks.empty(); }
    [[nodiscard]] const std::vector<Mark>& marks() const { return m_marks; }
    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] int columnCount() const { return static_cast<int>(m_columnSteps.size()); }
    [[nodiscard]] int columnStep(int column) const { return m_columnSteps[static_cast<std::size_t>(column)]; }

    [[nodiscard]] const Mark& mark(int index) const { return m_marks[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const Lane& lane(int index) const { return m_lanes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int find(const QString& checkpoint) const; // kNone: unknown
    [[nodiscard]] int head() const { return static_cast<int>(m_marks.size()) - 1; } // kNone: no checkpoint
    [[nodiscard]] int markAt(int lane, int column) const; // kNone: nothing there
    [[nodiscard]] int lastOf(int lane) const;

    // Tasks of the superstep that starts at that checkpoint, in their order of start.
    [[nodiscard]] const std::vector<TaskRow>& tasksOf(int mark) const;
    [[nodiscard]] bool isRunning() const { return m_running > 0; }
    [[nodiscard]] LaneState laneState(int lane) const;

    // Checkpoints from which a task failed or asked, oldest first.
    [[nodiscard]] const std::set<int>& troubles() const { return m_troubles; }

    // For each lane, the last column that lies on the way from the root to this mark; kNone: none does.
    [[nodiscard]] std::vector<int> pathTo(int mark) const;

private:
    void insert(const CheckpointRow& row);
    void changeTask(const TaskRow& row);
    void noteTrouble(int mark);

    QString m_thread;
    std::vector<Mark> m_marks; // oldest first
    std::vector<Lane> m_lanes;
    std::vector<int> m_columnSteps;
    QHash<QString, int> m_byId;
    QHash<QString, std::vector<TaskRow>> m_tasks; // by checkpoint, which may come later
    std::set<int> m_troubles; // marks
    int m_running = 0;
};

} // namespace sg::ui
