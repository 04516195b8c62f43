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
constexpr double kPlainStep = 120;
constexpr double kShortestStepMs = 20; // of the superstep that 100 % is made for
constexpr std::size_t kMostSamples = 40'000;

} // namespace

void TimelineView::setAxis(TimelineAxis axis)
{
    if (axis == m_geometry.axis)
        return;
    m_geometry.axis = axis;
    m_scaleIsOld = true;
    if (axis == TimelineAxis::Clock)
        m_zoom = std::min(1.0, fittingZoom()); // idle time is most of it
    else
        m_zoom = 1;
    applyZoom();
    updateScrollBars();
    showMark(currentMark());
    viewport()->update();
    Q_EMIT changed();
}

// A superstep of usual length takes as much room as on the Step axis.
double TimelineView::plainRate() const
{
    std::vector<double> lengths;
    const auto& marks = m_model.marks();
    const std::size_t stride = std::max<std::size_t>(1, marks.size() / 512);
    for (std::size_t i = 0; i < marks.size(); i += stride)
        if (marks[i].parent != HistoryModel::kNone) {
            const double ms = marks[i].timeMs - m_model.mark(marks[i].parent).timeMs;
            if (ms > 0) // also: is a number
                lengths.push_back(ms);
        }
    double usual = 1000;
    if (!lengths.empty()) {
        const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
        std::ranges::nth_element(lengths, middle);
        usual = *middle;
    }
    return scaledLength(kPlainStep) / std::max(kShortestStepMs, usual);
}

void TimelineView::applyZoom()
{
    m_geometry.step = scaledLength(kPlainStep) * m_zoom;
    m_scaleIsOld = true;
}

void TimelineView::renewScale()
{
    if (!m_scaleIsOld || m_geometry.axis == TimelineAxis::Step)
        return;
    m_scaleIsOld = false;
    m_geometry.scale = TimeScale(busy(), plainRate() * m_zoom, m_geometry.axis == TimelineAxis::Folded);
}

const std::vector<TimeScale::Busy>& TimelineView::busy() const
{
    const int from = std::exchange(m_busyFrom, std::numeric_limits<int>::max());
    if (from > m_model.head() && from > 0)
        return m_busy;
    std::vector<TimeScale::Busy> spans = busySpans(m_model, nowMs(), from);
    if (from > 0) // those before are joined already
        spans.insert(spans.begin(), m_busy.begin(), m_busy.end());
    m_busy = joined(std::move(spans));
    return m_busy;
}

const TimelineGeometry& TimelineView::geometryNow()
{
    renewScale();
    return m_geometry;
}

double TimelineView::fittingZoom() const
{
    const double room =
        std::max(100.0, viewport()->width() - m_geometry.header - 2 * m_geometry.first - scaledLength(120));
    if (m_geometry.axis == TimelineAxis::Step)
        return room / (std::max(1, m_model.columnCount()) * double(scaledLength(kPlainStep)));
    const TimeScale whole(busy(), plainRate(), m_geometry.axis == TimelineAxis::Folded);
    return room / std::max(1.0, whole.width());
}

void TimelineView::zoomTo(double zoom, double viewX)
{
    if (m_model.isEmpty())
        return;
    const double fitting = fittingZoom();
    const double widest = fitting * kWidest / std::max(1, viewport()->width());
    const double largest = std::min({ kLargestZoom, std::max(1.0, fitting * kMostViews), widest });
    zoom = std::clamp(zoom, std::min({ 0.25, fitting, largest }), largest);
    if (zoom == m_zoom)
        return;
    // The nearest checkpoint of the viewed branch stays where it is: on a folded axis room and time differ.
    const int current = currentMark();
    const TimelineHit near = hitTest(
        m_model, geometryNow(),
        { viewX - m_geometry.header + scroll().x(), m_geometry.laneY(m_model.mark(current).lane) }, 0);
    const int anchor = near.mark == HistoryModel::kNone ? current : near.mark;
    const double before = m_geometry.x(m_model.mark(anchor)) - scroll().x();
    m_zoom = zoom;
    applyZoom();
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
    zoomTo(m_zoom * factor, m_geometry.header + (x >= 0 && x <= room ? x : room / 2));
}

void TimelineView::zoomToFit()
{
    zoomTo(fittingZoom(), m_geometry.header);
}

void TimelineView::resetZoom()
{
    zoomBy(1 / m_zoom);
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

void TimelineView::setSamples(std::vector<SampleRow> samples, double cpuLimit)
{
    m_tracks.samples = std::move(samples);
    m_tracks.cpuLimit = cpuLimit;
    updateScrollBars();
    viewport()->update();
}

void TimelineView::addSamples(const std::vector<SampleRow>& samples)
{
    const bool had = m_tracks.hasCourse();
    for (const SampleRow& sample : samples)
        if (m_tracks.samples.empty() || sample.timeMs > m_tracks.samples.back().timeMs)
            m_tracks.samples.push_back(sample);
    if (m_tracks.samples.size() > kMostSamples)
        m_tracks.samples.erase(m_tracks.samples.begin(),
                               m_tracks.samples.end() - static_cast<std::ptrdiff_t>(kMostSamples));
    if (had != m_tracks.hasCourse())
        updateScrollBars();
    viewport()->update();
}

void TimelineView::setArtifacts(const std::vector<ArtifactRow>& rows)
{
    m_tracks.artifacts.clear();
    for (const ArtifactRow& row : rows)
        if (!std::isnan(row.createdMs) && row.thread == m_model.thread())
            m_tracks.artifacts.push_back({ row.createdMs, row.name, row.checkpoint });
    std::ranges::sort(m_tracks.artifacts, {}, &TimelineTracks::Artifact::timeMs);
    updateScrollBars();
    viewport()->update();
}

void TimelineView::setCells(std::vector<TimelineTracks::Cell> cells)
{
    m_tracks.cells = std::move(cells);
    std::ranges::stable_sort(m_tracks.cells, {}, &TimelineTracks::Cell::timeMs);
    updateScrollBars();
    viewport()->update();
}

void TimelineView::addCells(const std::vector<TimelineTracks::Cell>& cells)
{
    if (cells.empty())
        return;
    std::vector<TimelineTracks::Cell> all = std::move(m_tracks.cells);
    all.insert(all.end(), cells.begin(), cells.end());
    setCells(std::move(all));
}

bool TimelineView::addWatch(const QString& program)
{
    if (!m_watches.add(program))
        return false;
    updateScrollBars();
    viewport()->update();
    updateGeometry();
    askWatch();
    return true;
}

void TimelineView::removeWatch(const QString& program)
{
    m_watches.remove(program);
    updateScrollBars();
    updateGeometry();
    viewport()->update();
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
    m_found = checkpoints;
    m_foundAmong = -1;
    viewport()->update();
}

// Places are looked up when they are needed: a long history comes in pieces.
void TimelineView::placeFound()
{
    const auto count = static_cast<int>(m_model.marks().size());
    if (m_foundAmong == count)
        return;
    m_foundAmong = count;
    m_tracks.found.clear();
    for (const QString& checkpoint : m_found)
        if (const int place = m_model.find(checkpoint); place != HistoryModel::kNone)
            m_tracks.found.push_back(place);
    std::ranges::sort(m_tracks.found);
}

void TimelineView::setBookmarks(const QHash<QString, QString>& notes)
{
    m_tracks.bookmarks = notes;
    viewport()->update();
}

} // namespace sg::ui
