#include "ui/timeline/nested_lanes.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/nested_run_painter.h"

#include <algorithm>

namespace sg::ui {

namespace {

constexpr int kMostAsked = 64; // runs of one question
constexpr int kGrownMs = 500; // what is looked at is asked for again that often at most

} // namespace

NestedLanes::NestedLanes(const HistoryModel& model, QObject* parent)
    : QObject(parent)
    , m_model(model)
{
    m_soon.setInterval(kGrownMs);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &NestedLanes::askGrown);
}

void NestedLanes::clear()
{
    m_runs.clear();
    m_rows.clear();
    m_asked.clear();
    m_grown.clear();
}

void NestedLanes::setNamespaces(const QStringList& namespaces)
{
    m_runs.setNamespaces(namespaces);
    m_asked.clear(); // what ran on since then is asked for again
    Q_EMIT rowsChanged();
    Q_EMIT changed();
}

void NestedLanes::addNamespaces(const QStringList& namespaces)
{
    const bool isFirst = m_runs.isEmpty();
    m_runs.addNamespaces(namespaces);
    for (const QString& ns : namespaces)
        m_grown.insert(ns);
    if (!m_soon.isActive())
        m_soon.start();
    Q_EMIT rowsChanged();
    if (isFirst)
        Q_EMIT changed();
}

void NestedLanes::askGrown()
{
    m_asked.subtract(m_grown);
    m_grown.clear();
    Q_EMIT rowsChanged();
    Q_EMIT changed();
}

void NestedLanes::setRuns(const std::vector<HistoryRows>& runs)
{
    m_runs.setRuns(runs);
    Q_EMIT runsChanged();
}

void NestedLanes::addNames(const QHash<QString, QString>& names)
{
    m_runs.addNames(names);
    Q_EMIT runsChanged();
}

bool NestedLanes::has(int lane) const
{
    return lane >= 0 && lane < static_cast<int>(m_rows.size()) && m_rows[static_cast<std::size_t>(lane)] > 0;
}

void NestedLanes::toggle(int lane)
{
    if (!has(lane))
        return;
    m_runs.unfold(lane, !m_runs.isUnfolded(lane));
    Q_EMIT rowsChanged();
    Q_EMIT changed();
}

void NestedLanes::place(TimelineGeometry& geometry)
{
    m_rows = m_runs.isEmpty() ? std::vector<int>() : m_runs.rowsByLane(m_model);
    geometry.tops.clear();
    if (m_rows.empty() || !m_runs.anyUnfolded())
        return;
    double top = 0;
    for (std::size_t lane = 0; lane < m_rows.size(); ++lane) {
        geometry.tops.push_back(top);
        top += geometry.lane;
        if (m_runs.isUnfolded(static_cast<int>(lane)))
            top += m_rows[lane] * geometry.nestedRow();
    }
    geometry.tops.push_back(top);
}

void NestedLanes::askFor(const TimelineGeometry& geometry, const QRectF& seen)
{
    if (!m_runs.anyUnfolded())
        return;
    QStringList missing;
    const TimelineGeometry::Range lanes =
        geometry.lanesBetween(seen.top(), seen.bottom(), static_cast<int>(m_model.lanes().size()));
    for (int lane = lanes.from; lane <= lanes.to; ++lane) {
        const TimelineGeometry::Range marks = geometry.marksBetween(m_model, lane, seen.left(), seen.right());
        if (!m_runs.isUnfolded(lane) || marks.to - marks.from > kMostUnfolded)
            continue;
        for (int index = marks.from; index <= marks.to; ++index)
            for (const TaskRow& task :
                 m_model.tasksOf(m_model.lane(lane).marks[static_cast<std::size_t>(index)], kMostShownTasks))
                for (const QString& ns : m_runs.inside(task))
                    if (missing.size() < kMostAsked && !m_asked.contains(ns))
                        missing << ns;
    }
    if (missing.isEmpty())
        return;
    for (const QString& ns : std::as_const(missing))
        m_asked.insert(ns);
    Q_EMIT wanted(missing);
}

QString NestedLanes::tipAt(const TimelineGeometry& geometry, const QPointF& point, int lane) const
{
    const int behind = geometry.markBehind(m_model, lane, 0, point.x());
    if (behind == 0)
        return {};
    const auto& marks = m_model.lane(lane).marks;
    const int mark = marks[static_cast<std::size_t>(std::min(behind, static_cast<int>(marks.size())) - 1)];
    for (const NestedBox& box : nestedBoxes(m_model, m_runs, geometry, mark, nowMs())) {
        const NestedRuns::Run* run = runIn(m_runs, box);
        if (run == nullptr || !box.rect.contains(point))
            continue;
        for (const InnerBox& inner : innerBoxes(*run, box, geometry))
            if (inner.rect.contains(point)) {
                TaskRow named = *inner.task;
                named.node = m_runs.nameOf(named);
                return tr("Inside of %1\n%2").arg(run->node, taskTip(named, nowMs()));
            }
        const std::size_t steps = std::max<std::size_t>(1, run->checkpoints.size()) - 1;
        return steps == 1 ? tr("Inside of %1: 1 step").arg(run->node)
                          : tr("Inside of %1: %2 steps").arg(run->node).arg(steps);
    }
    return {};
}

} // namespace sg::ui
