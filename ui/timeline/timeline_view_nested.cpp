#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/nested_run_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QTimer>

#include <algorithm>

// Lanes with what ran inside of their tasks below them.
namespace sg::ui {

namespace {

constexpr int kMostAsked = 64; // runs of one question

} // namespace

void TimelineView::setNamespaces(const QStringList& namespaces)
{
    m_nested.setNamespaces(namespaces);
    m_askedNested.clear(); // what ran on since then is asked for again
    placeLanes();
    updateScrollBars();
    viewport()->update();
    Q_EMIT changed();
}

// Live: what is looked at is asked for again, at most every half second.
void TimelineView::addNamespaces(const QStringList& namespaces)
{
    const bool any = !m_nested.isEmpty();
    m_nested.addNamespaces(namespaces);
    for (const QString& ns : namespaces)
        m_grown.insert(ns);
    if (!m_nestedSoon->isActive())
        m_nestedSoon->start();
    placeLanes();
    if (!any)
        Q_EMIT changed();
}

void TimelineView::askGrown()
{
    m_askedNested.subtract(m_grown);
    m_grown.clear();
    placeLanes();
    updateScrollBars();
    viewport()->update();
    Q_EMIT changed();
}

void TimelineView::setNested(const std::vector<HistoryRows>& runs)
{
    m_nested.setRuns(runs);
    viewport()->update();
}

void TimelineView::addInnerNames(const QHash<QString, QString>& names)
{
    m_nested.addNames(names);
    viewport()->update();
}

bool TimelineView::hasNested(int lane) const
{
    return lane >= 0 && lane < static_cast<int>(m_nestedRows.size())
        && m_nestedRows[static_cast<std::size_t>(lane)] > 0;
}

void TimelineView::toggleNested(int lane)
{
    if (!hasNested(lane))
        return;
    m_nested.unfold(lane, !m_nested.isUnfolded(lane));
    placeLanes();
    updateScrollBars();
    viewport()->update();
    Q_EMIT changed();
}

void TimelineView::placeLanes()
{
    m_nestedRows = m_nested.isEmpty() ? std::vector<int>() : m_nested.rowsByLane(m_model);
    m_geometry.tops.clear();
    if (m_nestedRows.empty() || !m_nested.anyUnfolded())
        return;
    double top = 0;
    for (std::size_t lane = 0; lane < m_nestedRows.size(); ++lane) {
        m_geometry.tops.push_back(top);
        top += m_geometry.lane;
        if (m_nested.isUnfolded(static_cast<int>(lane)))
            top += m_nestedRows[lane] * m_geometry.nestedRow();
    }
    m_geometry.tops.push_back(top);
}

void TimelineView::askNested()
{
    if (!m_nested.anyUnfolded())
        return;
    QStringList wanted;
    const double left = scroll().x();
    const double right = left + viewport()->width() - m_geometry.header;
    const TimelineGeometry::Range lanes = m_geometry.lanesBetween(scroll().y(), scroll().y() + lanesBottom(),
                                                                  static_cast<int>(m_model.lanes().size()));
    for (int lane = lanes.from; lane <= lanes.to; ++lane) {
        const TimelineGeometry::Range seen = m_geometry.marksBetween(m_model, lane, left, right);
        if (!m_nested.isUnfolded(lane) || seen.to - seen.from > kMostUnfolded)
            continue;
        for (int index = seen.from; index <= seen.to; ++index)
            for (const TaskRow& task :
                 m_model.tasksOf(m_model.lane(lane).marks[static_cast<std::size_t>(index)], kMostShownTasks))
                for (const QString& ns : m_nested.inside(task))
                    if (wanted.size() < kMostAsked && !m_askedNested.contains(ns))
                        wanted << ns;
    }
    if (wanted.isEmpty())
        return;
    for (const QString& ns : std::as_const(wanted))
        m_askedNested.insert(ns);
    Q_EMIT nestedWanted(wanted);
}

QString TimelineView::nestedTipAt(const QPointF& point, int lane) const
{
    const int behind = m_geometry.markBehind(m_model, lane, 0, point.x());
    if (behind == 0)
        return {};
    const auto& marks = m_model.lane(lane).marks;
    const int mark = marks[static_cast<std::size_t>(std::min(behind, static_cast<int>(marks.size())) - 1)];
    for (const NestedBox& box : nestedBoxes(m_model, m_nested, m_geometry, mark, nowMs())) {
        const NestedRuns::Run* run = runIn(m_nested, box);
        if (run == nullptr || !box.rect.contains(point))
            continue;
        for (const InnerBox& inner : innerBoxes(*run, box, m_geometry))
            if (inner.rect.contains(point)) {
                TaskRow named = *inner.task;
                named.node = m_nested.nameOf(named);
                return tr("Inside of %1\n%2").arg(run->node, taskTip(named, nowMs()));
            }
        const std::size_t steps = std::max<std::size_t>(1, run->checkpoints.size()) - 1;
        return steps == 1 ? tr("Inside of %1: 1 step").arg(run->node)
                          : tr("Inside of %1: %2 steps").arg(run->node).arg(steps);
    }
    return {};
}

} // namespace sg::ui
