#include "ui/timeline/timeline_model.h"

#include "ui/timeline/timeline_words.h"

#include <QObject>

#include <algorithm>

namespace sg::ui {

namespace {

bool runs(const TaskRow& row)
{
    return stateFromWord(row.outcome) == StateKind::Running;
}

} // namespace

void TimelineModel::clear(const QString& thread)
{
    *this = {};
    m_thread = thread;
}

void TimelineModel::reset(const HistoryRows& rows)
{
    clear(rows.thread);
    m_marks.reserve(rows.checkpoints.size());
    add(rows.checkpoints);
    changeTasks(rows.tasks);
}

void TimelineModel::add(const std::vector<CheckpointRow>& rows)
{
    for (const CheckpointRow& row : rows)
        insert(row);
}

void TimelineModel::insert(const CheckpointRow& row)
{
    if (const int known = find(row.id); known != kNone) {
        m_marks[static_cast<std::size_t>(known)].row = row;
        return;
    }
    Mark made;
    made.row = row;
    made.parent = row.parent.isEmpty() ? kNone : find(row.parent);
    const int index = static_cast<int>(m_marks.size());
    if (made.parent != kNone) {
        made.column = mark(made.parent).column + 1;
        made.lane = mark(made.parent).lane;
    }
    if (made.parent == kNone || lastOf(made.lane) != made.parent) {
        made.lane = static_cast<int>(m_lanes.size());
        m_lanes.push_back({ made.parent, made.column, {} });
    }
    m_lanes[static_cast<std::size_t>(made.lane)].marks.push_back(index);
    if (made.column >= columnCount())
        m_columnSteps.push_back(row.step);
    m_byId.insert(row.id, index);
    m_marks.push_back(std::move(made));
    noteTrouble(index);
}

void TimelineModel::noteTrouble(int index)
{
    const bool isTrouble = std::ranges::any_of(tasksOf(index), [](const TaskRow& task) {
        const StateKind kind = stateFromWord(task.outcome);
        return kind == StateKind::Failed || kind == StateKind::Waiting;
    });
    if (isTrouble)
        m_troubles.insert(index);
    else
        m_troubles.erase(index);
}

void TimelineModel::changeTasks(const std::vector<TaskRow>& rows)
{
    for (const TaskRow& row : rows)
        changeTask(row);
}

void TimelineModel::changeTask(const TaskRow& row)
{
    std::vector<TaskRow>& tasks = m_tasks[row.checkpoint];
    const auto known = std::ranges::find(tasks, row.task, &TaskRow::task);
    m_running += runs(row) ? 1 : 0;
    if (known == tasks.end()) {
        tasks.push_back(row);
    } else {
        m_running -= runs(*known) ? 1 : 0;
        *known = row;
    }
    if (const int index = find(row.checkpoint); index != kNone)
        noteTrouble(index);
}

int TimelineModel::find(const QString& checkpoint) const
{
    return m_byId.value(checkpoint, kNone);
}

int TimelineModel::markAt(int laneIndex, int column) const
{
    if (laneIndex < 0 || laneIndex >= static_cast<int>(m_lanes.size()))
        return kNone;
    const Lane& found = lane(laneIndex);
    const int offset = column - found.firstColumn;
    return offset >= 0 && offset < static_cast<int>(found.marks.size())
        ? found.marks[static_cast<std::size_t>(offset)]
        : kNone;
}

int TimelineModel::lastOf(int laneIndex) const
{
    const Lane& found = lane(laneIndex);
    return found.marks.empty() ? kNone : found.marks.back();
}

const std::vector<TaskRow>& TimelineModel::tasksOf(int index) const
{
    static const std::vector<TaskRow> none;
    const auto found = m_tasks.constFind(mark(index).row.id);
    return found == m_tasks.constEnd() ? none : *found;
}

TimelineModel::LaneState TimelineModel::laneState(int laneIndex) const
{
    const int last = lastOf(laneIndex);
    if (last == kNone)
        return {};
    const auto& tasks = tasksOf(last);
    const auto has = [&tasks](StateKind kind) {
        return std::ranges::any_of(
            tasks, [kind](const TaskRow& task) { return stateFromWord(task.outcome) == kind; });
    };
    const QString step = stepText(mark(last).row.step + 1);
    if (has(StateKind::Running))
        return { StateKind::Running, QObject::tr("Running step %1").arg(step) };
    if (has(StateKind::Failed))
        return { StateKind::Failed, QObject::tr("Failed at step %1").arg(step) };
    if (has(StateKind::Waiting))
        return { StateKind::Waiting, QObject::tr("Waiting at step %1").arg(step) };
    if (has(StateKind::Stopped))
        return { StateKind::Stopped, QObject::tr("Stopped at step %1").arg(step) };
    if (mark(last).row.next.isEmpty())
        return { StateKind::Done, QObject::tr("Done, %1").arg(stepName(mark(last).row.step)) };
    return { StateKind::Queued, QObject::tr("Next: %1").arg(nodeList(mark(last).row.next)) };
}

std::vector<int> TimelineModel::pathTo(int index) const
{
    std::vector<int> path(m_lanes.size(), kNone);
    while (index != kNone) {
        const Mark& at = mark(index);
        path[static_cast<std::size_t>(at.lane)] = at.column;
        index = lane(at.lane).forkedFrom;
    }
    return path;
}

} // namespace sg::ui
