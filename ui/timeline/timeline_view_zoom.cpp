#include "ui/timeline/timeline_view.h"
#include "ui/widgets/fonts.h"

#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Axis and zoom, and what stands on the axis besides the checkpoints.
namespace sg::ui {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kLargestZoom = 64;
constexpr double kMostViews = 1e6; // widths of the view

} // namespace

void TimelineView::setAxis(TimelineAxis axis)
{
    if (axis == m_geometry.axis)
        return;
    m_geometry.axis = axis;
    m_scale.makeAnew();
    // Idle time is most of what the clock shows.
    m_scale.setZoom(axis == TimelineAxis::Clock ? std::min(1.0, fittingZoom()) : 1, m_geometry);
    updateScrollBars();
    showMark(currentMark());
    viewport()->update();
    Q_EMIT changed();
}

const TimelineGeometry& TimelineView::geometryNow()
{
    m_scale.renew(m_geometry);
    return m_geometry;
}

double TimelineView::fittingZoom() const
{
    const double room = viewport()->width() - m_geometry.header - 2 * m_geometry.first - scaledLength(120);
    return m_scale.fitting(m_geometry, std::max(100.0, room));
}

void TimelineView::zoomTo(double zoom, double viewX)
{
    if (m_model.isEmpty())
        return;
    const double fitting = fittingZoom();
    const double widest = fitting * kWidest / std::max(1, viewport()->width());
    const double largest = std::min({ kLargestZoom, std::max(1.0, fitting * kMostViews), widest });
    zoom = std::clamp(zoom, std::min({ 0.25, fitting, largest }), largest);
    if (zoom == m_scale.zoom())
        return;
    // The nearest checkpoint of the viewed branch stays where it is: on a folded axis room and time differ.
    const int current = currentMark();
    const TimelineHit near = hitTest(
        m_model, geometryNow(),
        { viewX - m_geometry.header + scroll().x(), m_geometry.laneY(m_model.mark(current).lane) }, 0);
    const int anchor = near.mark == HistoryModel::kNone ? current : near.mark;
    const double before = m_geometry.x(m_model.mark(anchor)) - scroll().x();
    m_scale.setZoom(zoom, m_geometry);
    updateScrollBars();
    horizontalScrollBar()->setValue(
        static_cast<int>(std::lround(m_geometry.x(m_model.mark(anchor)) - before)));
    viewport()->update();
    Q_EMIT changed();
}

void TimelineView::zoomBy(double factor)
{
    const int current = currentMark();
    if (current == HistoryModel::kNone)
        return;
    const double room = viewport()->width() - m_geometry.header;
    const double x = geometryNow().x(m_model.mark(current)) - scroll().x();
    zoomTo(zoom() * factor, m_geometry.header + (x >= 0 && x <= room ? x : room / 2));
}

void TimelineView::zoomToFit()
{
    zoomTo(fittingZoom(), m_geometry.header);
}

void TimelineView::resetZoom()
{
    zoomBy(1 / zoom());
    showMark(currentMark());
}

bool TimelineView::zoomByKey(int key)
{
    QScrollBar* bar = horizontalScrollBar();
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kZoomStep); return true;
    case Qt::Key_S:
    case Qt::Key_Minus: zoomBy(1 / kZoomStep); return true;
    case Qt::Key_0: resetZoom(); return true;
    case Qt::Key_1: zoomToFit(); return true;
    case Qt::Key_A: bar->setValue(bar->value() - bar->pageStep() / 4); return true;
    case Qt::Key_D: bar->setValue(bar->value() + bar->pageStep() / 4); return true;
    default: return false;
    }
}

bool TimelineView::stepOnWay()
{
    const int current = currentMark();
    if (current == HistoryModel::kNone || isAtHead())
        return false;
    // The way to the head, where the cursor is on it; else along its own branch.
    const std::vector<int> way = m_model.pathTo(m_model.head());
    int next = HistoryModel::kNone;
    const HistoryModel::Mark& mark = m_model.mark(current);
    for (int lane = 0; lane < static_cast<int>(way.size()); ++lane)
        if (way[static_cast<std::size_t>(lane)] > mark.column)
            if (const int found = m_model.markAt(lane, mark.column + 1);
                found != HistoryModel::kNone && m_model.mark(found).parent == current)
                next = found;
    if (next == HistoryModel::kNone)
        next = m_model.markAt(mark.lane, mark.column + 1);
    select(next);
    return next != HistoryModel::kNone;
}

void TimelineView::tracksChanged()
{
    updateScrollBars();
    viewport()->update();
}

void TimelineView::setSamples(std::vector<SampleRow> samples, double cpuLimit)
{
    m_tracks.samples = std::move(samples);
    m_tracks.cpuLimit = cpuLimit;
    tracksChanged();
}

void TimelineView::addSamples(const std::vector<SampleRow>& samples)
{
    const bool had = m_tracks.hasCourse();
    m_tracks.addSamples(samples);
    if (had != m_tracks.hasCourse())
        updateScrollBars();
    viewport()->update();
}

void TimelineView::setArtifacts(const std::vector<ArtifactRow>& rows)
{
    m_tracks.setArtifacts(rows, m_model.thread());
    tracksChanged();
}

void TimelineView::setCells(std::vector<TimelineTracks::Cell> cells)
{
    m_tracks.setCells(std::move(cells));
    tracksChanged();
}

void TimelineView::addCells(const std::vector<TimelineTracks::Cell>& cells)
{
    if (cells.empty())
        return;
    m_tracks.addCells(cells);
    tracksChanged();
}

bool TimelineView::addWatch(const QString& program)
{
    if (!m_watches.add(program))
        return false;
    tracksChanged();
    updateGeometry();
    askWatch();
    return true;
}

void TimelineView::removeWatch(const QString& program)
{
    m_watches.remove(program);
    tracksChanged();
    updateGeometry();
}

void TimelineView::setWatched(const WatchRows& rows)
{
    m_watches.take(rows, m_model);
    announce();
    viewport()->update();
    askWatch();
}

void TimelineView::askWatch()
{
    if (!m_history.isWhole()) // when all of it is here
        return;
    if (const auto question = m_watches.next(m_model))
        Q_EMIT watchWanted(question->program, question->way);
}

QStringList TimelineView::watches() const
{
    QStringList programs;
    for (const WatchTracks::Track& track : m_watches.tracks())
        programs << track.program;
    return programs;
}

void TimelineView::setFound(const QStringList& checkpoints)
{
    m_found.set(checkpoints);
    viewport()->update();
}

void TimelineView::setBookmarks(const QHash<QString, QString>& notes)
{
    m_tracks.bookmarks = notes;
    viewport()->update();
}

} // namespace sg::ui
