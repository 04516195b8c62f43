#include "ui/timeline/nested_runs.h"

#include <algorithm>

namespace sg::ui {

namespace {

const QChar kPart(QLatin1Char('|'));
const QChar kTask(QLatin1Char(':'));

QString outermostTask(const QString& ns)
{
    const QString first = ns.section(kPart, 0, 0);
    return first.mid(first.lastIndexOf(kTask) + 1);
}

} // namespace

NamespaceEnd endOf(const QString& ns)
{
    const QString last = ns.mid(ns.lastIndexOf(kPart) + 1);
    const auto at = last.lastIndexOf(kTask);
    return { last.left(at), last.mid(at + 1), static_cast<int>(ns.count(kPart)) };
}

void NestedRuns::clear()
{
    *this = {};
}

void NestedRuns::setNamespaces(const QStringList& namespaces)
{
    m_inside.clear();
    for (const QString& ns : namespaces)
        if (ns.contains(kTask))
            m_inside[outermostTask(ns)] << ns;
    for (QStringList& runs : m_inside)
        runs.sort(); // what is within another begins with its name
}

void NestedRuns::setRuns(const std::vector<HistoryRows>& runs)
{
    for (const HistoryRows& rows : runs) {
        const NamespaceEnd end = endOf(rows.ns);
        m_runs.insert(rows.ns, { rows.ns, end.node, end.task, end.depth, rows.checkpoints, rows.tasks });
    }
}

const NestedRuns::Run* NestedRuns::run(const QString& ns) const
{
    const auto found = m_runs.constFind(ns);
    return found == m_runs.constEnd() ? nullptr : &*found;
}

void NestedRuns::unfold(int lane, bool unfolded)
{
    if (unfolded)
        m_unfolded.insert(lane);
    else
        m_unfolded.remove(lane);
}

std::vector<int> NestedRuns::rowsByLane(const TimelineModel& model) const
{
    std::vector<int> rows(model.lanes().size());
    QHash<int, int> bySuperstep;
    for (auto task = m_inside.constBegin(); task != m_inside.constEnd(); ++task) {
        const int start = model.startOfTask(task.key());
        if (start == TimelineModel::kNone)
            continue; // of a branch that was removed
        const int count = bySuperstep[start] += static_cast<int>(task->size());
        int& most = rows[static_cast<std::size_t>(model.mark(start).lane)];
        most = std::min(kMostRows, std::max(most, count));
    }
    return rows;
}

} // namespace sg::ui
