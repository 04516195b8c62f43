#include "ui/timeline/nested_runs.h"

#include <algorithm>

namespace sg::ui {

namespace {

constexpr std::size_t kMostSearched = 64; // marks of a lane, from its end: nodes come again
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
    if (at < 0)
        return { last, {}, static_cast<int>(ns.count(kPart)) };
    return { last.left(at), last.mid(at + 1), static_cast<int>(ns.count(kPart)) };
}

bool isShared(const QString& ns)
{
    return !ns.section(kPart, 0, 0).contains(kTask);
}

void NestedRuns::clear()
{
    *this = {};
}

void NestedRuns::setNamespaces(const QStringList& namespaces)
{
    m_inside.clear();
    m_ofNode.clear();
    for (const QString& ns : namespaces)
        if (!isShared(ns))
            m_inside[outermostTask(ns)] << ns;
        else if (!ns.isEmpty())
            m_ofNode[ns.section(kPart, 0, 0)] << ns;
    for (auto* groups : { &m_inside, &m_ofNode })
        for (QStringList& runs : *groups)
            runs.sort(); // what is within another begins with its name
}

void NestedRuns::setRuns(const std::vector<HistoryRows>& runs)
{
    for (const HistoryRows& rows : runs) {
        const NamespaceEnd end = endOf(rows.ns);
        m_runs.insert(rows.ns, { rows.ns, end.node, end.task, end.depth, rows.checkpoints, rows.tasks });
    }
}

QStringList NestedRuns::inside(const TaskRow& task) const
{
    return m_inside.value(task.task) + m_ofNode.value(task.node);
}

NestedRuns::Run NestedRuns::Run::between(double fromMs, double toMs) const
{
    Run part{ ns, node, task, depth, {}, {} };
    QSet<QString> kept;
    for (const CheckpointRow& row : checkpoints)
        if (row.timeMs >= fromMs && row.timeMs <= toMs) {
            part.checkpoints.push_back(row);
            kept.insert(row.id);
        }
    for (const TaskRow& each : tasks)
        if (kept.contains(each.checkpoint))
            part.tasks.push_back(each);
    return part;
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
    if (m_ofNode.isEmpty())
        return rows;
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
        const auto& marks = model.lane(static_cast<int>(lane)).marks;
        int shared = 0;
        const std::size_t from = marks.size() > kMostSearched ? marks.size() - kMostSearched : 0;
        for (std::size_t i = from; i < marks.size(); ++i) {
            int here = 0;
            for (const QString& node : model.row(marks[i]).after)
                here += static_cast<int>(m_ofNode.value(node).size());
            shared = std::max(shared, here);
        }
        rows[lane] = std::min(kMostRows, rows[lane] + shared);
    }
    return rows;
}

} // namespace sg::ui
