#pragma once

#include "ui/bridge/rows.h"

#include <QHash>
#include <QSet>

#include <vector>

namespace sg::ui {

// When the checkpoints of the shown thread were made: what a time, a task or a line of the log means on the
// timeline, and the other way round. A value.
class Moments {
public:
    void reset(const HistoryRows& history);
    void add(const std::vector<CheckpointRow>& checkpoints);
    void addTasks(const std::vector<TaskRow>& tasks);

    [[nodiscard]] QString at(double timeMs) const; // the newest made by then, else the first; empty: none
    // The newest that a superstep from that checkpoint made; itself where there is none.
    [[nodiscard]] QString after(const QString& start) const;
    [[nodiscard]] QString afterTask(const QString& task) const; // empty: the task is not known
    [[nodiscard]] double timeOf(const QString& checkpoint) const; // kUnknown: not known
    [[nodiscard]] int stepOf(const QString& checkpoint) const;
    [[nodiscard]] QSet<QString> before(const QString& checkpoint) const; // on its branch

private:
    std::vector<CheckpointRow> m_rows; // oldest first
    QHash<QString, int> m_places;
    QHash<QString, QString> m_tasks; // → the checkpoint that their superstep began from
};

} // namespace sg::ui
