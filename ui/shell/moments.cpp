#include "ui/shell/moments.h"

#include <algorithm>

namespace sg::ui {

void Moments::reset(const HistoryRows& history)
{
    m_rows.clear();
    m_places.clear();
    m_tasks.clear();
    add(history.checkpoints);
    addTasks(history.tasks);
}

void Moments::add(const std::vector<CheckpointRow>& checkpoints)
{
    for (const CheckpointRow& row : checkpoints) {
        m_places.insert(row.id, static_cast<int>(m_rows.size()));
        m_rows.push_back(row);
    }
}

void Moments::addTasks(const std::vector<TaskRow>& tasks)
{
    for (const TaskRow& task : tasks)
        m_tasks.insert(task.task, task.checkpoint);
}

QString Moments::at(double timeMs) const
{
    const CheckpointRow* found = nullptr;
    for (const CheckpointRow& row : m_rows)
        if (!found || (row.timeMs <= timeMs && row.timeMs >= found->timeMs))
            found = &row;
    return found ? found->id : QString();
}

QString Moments::after(const QString& start) const
{
    const auto made = std::find_if(m_rows.rbegin(), m_rows.rend(), [&start](const CheckpointRow& row) {
        return row.parent == start && row.source == QLatin1String("loop");
    });
    return made != m_rows.rend() ? made->id : m_places.contains(start) ? start : QString();
}

QString Moments::afterTask(const QString& task) const
{
    const auto start = m_tasks.constFind(task);
    return start == m_tasks.constEnd() ? QString() : after(*start);
}

double Moments::timeOf(const QString& checkpoint) const
{
    const auto place = m_places.constFind(checkpoint);
    return place == m_places.constEnd() ? kUnknown : m_rows[static_cast<std::size_t>(*place)].timeMs;
}

int Moments::stepOf(const QString& checkpoint) const
{
    const auto place = m_places.constFind(checkpoint);
    return place == m_places.constEnd() ? 0 : m_rows[static_cast<std::size_t>(*place)].step;
}

QSet<QString> Moments::before(const QString& checkpoint) const
{
    QSet<QString> path;
    QString at = checkpoint;
    while (m_places.contains(at)) {
        const QString parent = m_rows[static_cast<std::size_t>(m_places.value(at))].parent;
        if (parent.isEmpty() || path.contains(parent)) // a file may tell of a circle
            break;
        path.insert(parent);
        at = parent;
    }
    return path;
}

} // namespace sg::ui
