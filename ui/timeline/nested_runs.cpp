#include "ui/timeline/nested_runs.h"

#include <algorithm>

namespace sg::ui {

namespace {

constexpr std::size_t kMostParts = 4096; // that are kept
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
        add(ns);
    for (auto* groups : { &m_inside, &m_ofNode })
        for (QStringList& runs : *groups)
            runs.sort(); // what is within another begins with its name
    forgetPlaces();
}

void NestedRuns::addNamespaces(const QStringList& namespaces)
{
    for (const QString& ns : namespaces) {
        if (ns.isEmpty())
            continue;
        const bool shared = isShared(ns);
        QStringList& known = shared ? m_ofNode[ns.section(kPart, 0, 0)] : m_inside[outermostTask(ns)];
        if (known.contains(ns))
            continue;
        known << ns;
        known.sort();
        if (shared)
            m_seen.clear();
        else if (known.size() == 1)
            m_unplaced.insert(outermostTask(ns));
        else
            forgetPlaces(); // its superstep has more rows now
    }
}

void NestedRuns::add(const QString& ns)
{
    if (!isShared(ns))
        m_inside[outermostTask(ns)] << ns;
    else if (!ns.isEmpty())
        m_ofNode[ns.section(kPart, 0, 0)] << ns;
}

void NestedRuns::forgetPlaces()
{
    m_unplaced = QSet<QString>(m_inside.keyBegin(), m_inside.keyEnd());
    m_bySuperstep.clear();
    m_own.clear();
    m_shared.clear();
    m_seen.clear();
}

void NestedRuns::setRuns(const std::vector<HistoryRows>& runs)
{
    for (const HistoryRows& rows : runs) {
        const NamespaceEnd end = endOf(rows.ns);
        m_runs.insert(rows.ns, { rows.ns, end.node, end.task, end.depth, rows.checkpoints, rows.tasks });
        std::erase_if(m_parts, [&rows](const auto& part) { return std::get<0>(part.first) == rows.ns; });
    }
}

const NestedRuns::Run* NestedRuns::part(const QString& ns, double fromMs, double toMs) const
{
    const Run* whole = run(ns);
    if (whole == nullptr)
        return nullptr;
    const std::tuple key(ns, fromMs, toMs);
    const auto known = m_parts.find(key);
    if (known != m_parts.end())
        return &known->second;
    if (m_parts.size() >= kMostParts)
        m_parts.clear();
    return &m_parts.emplace(key, whole->between(fromMs, toMs)).first->second;
}

QStringList NestedRuns::inside(const TaskRow& task) const
{
    return m_inside.value(task.task) + m_ofNode.value(task.node);
}

NestedRuns::Run NestedRuns::Run::between(double fromMs, double toMs) const
{
    Run part{ .ns = ns, .node = node, .task = task, .depth = depth };
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

std::vector<int> NestedRuns::rowsByLane(const HistoryModel& model)
{
    const std::size_t lanes = model.lanes().size();
    m_own.resize(lanes);
    m_shared.resize(lanes);
    m_seen.resize(lanes);
    for (auto task = m_unplaced.begin(); task != m_unplaced.end();) {
        const int start = model.startOfTask(*task);
        if (start == HistoryModel::kNone) { // not there yet, or of a branch that was removed
            ++task;
            continue;
        }
        const int count = m_bySuperstep[start] += static_cast<int>(m_inside.value(*task).size());
        int& most = m_own[static_cast<std::size_t>(model.mark(start).lane)];
        most = std::max(most, count);
        task = m_unplaced.erase(task);
    }
    std::vector<int> rows(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::vector<int>& marks = model.lanes()[lane].marks;
        auto& seen = m_seen[lane];
        const std::size_t from = marks.size() > kMostSearched ? marks.size() - kMostSearched : 0;
        for (std::size_t i = std::max(from, static_cast<std::size_t>(seen));
             !m_ofNode.isEmpty() && i < marks.size(); ++i) {
            int here = 0;
            for (const QString& node : model.after(marks[i]))
                here += static_cast<int>(m_ofNode.value(node).size());
            m_shared[lane] = std::max(m_shared[lane], here);
        }
        seen = static_cast<int>(marks.size());
        rows[lane] = std::min(kMostRows, m_own[lane] + m_shared[lane]);
    }
    return rows;
}

} // namespace sg::ui
