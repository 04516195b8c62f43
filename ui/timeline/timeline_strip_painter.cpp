#include "ui/timeline/timeline_strip_painter.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/timeline_strip_marks.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kHot = 0.95; // of the limit
constexpr double kHeldBack = 0.05; // of the time: less is the scheduler's grain
constexpr double kGapMs = 5000; // without samples: the course breaks

} // namespace

TimelineStrip timelineStrip(const HistoryModel& model, const TimelineTracks& tracks,
                            const WatchTracks& watches, const TimelineGeometry& geometry, double viewHeight,
                            int lanes)
{
    const double unit = geometry.unit();
    double room = viewHeight - geometry.ruler - lanes * geometry.lane;
    TimelineStrip strip;
    const auto fits = [&](double height) {
        if (room < height * unit)
            return false;
        room -= height * unit;
        strip.height += height * unit;
        return true;
    };
    for (std::size_t i = 0; i < watches.tracks().size() && fits(TimelineStrip::kWatchHeight); ++i)
        ++strip.watches;
    const bool hasEvents =
        tracks.hasCourse() || !tracks.artifacts.empty() || !tracks.cells.empty() || !model.troubles().empty();
    strip.hasEvents = hasEvents && fits(TimelineStrip::kEventsHeight);
    strip.hasMemory = tracks.hasCourse() && strip.hasEvents && fits(TimelineStrip::kMemoryHeight);
    strip.hasCpu = strip.hasMemory && fits(TimelineStrip::kCpuHeight);
    // The course of the memory has the room that is left below all lanes, which would look like an empty row.
    const double left = viewHeight - geometry.ruler
        - std::max(lanes * geometry.lane, geometry.laneTop(static_cast<int>(model.lanes().size())))
        - strip.height;
    if (strip.hasMemory && left > 0 && left <= TimelineStrip::kMostLeft * unit) {
        strip.left = left;
        strip.height += left;
    }
    return strip;
}

int lanesInSight(const HistoryModel& model, const TimelineGeometry& geometry, double viewHeight,
                 bool hasPlanned)
{
    if (!hasPlanned)
        return 1;
    const double above = geometry.laneTop(static_cast<int>(model.lanes().size()));
    const int all = static_cast<int>(std::ceil(above / geometry.lane)) + 1;
    return std::min(all, std::max(2, static_cast<int>((viewHeight - geometry.ruler) / geometry.lane)));
}

TimelineStripPainter::TimelineStripPainter(QPainter& painter, const TimelineScene& scene)
    : m_painter(painter)
    , m_scene(scene)
    , m_geometry(scene.geometry)
    , m_unit(scene.geometry.unit())
    , m_lane(stripLane(scene))
{
}

void TimelineStripPainter::paint()
{
    const double top = m_scene.lanesBottom;
    const double height = m_scene.size.height() - top;
    if (height <= 0)
        return;
    m_painter.fillRect(QRectF(0, top, m_scene.size.width(), height), color(&Tokens::base));
    for (const StripRow& row : stripRows(m_scene)) {
        const Row place{ row.top, row.height };
        switch (row.kind) {
        case StripRow::Kind::Watch:
            paintWatch(place, m_scene.watches.tracks()[static_cast<std::size_t>(row.watch)]);
            break;
        case StripRow::Kind::Cpu: paintCpu(place); break;
        case StripRow::Kind::Memory: paintMemory(place); break;
        case StripRow::Kind::Events: paintEvents(place); break;
        }
    }
    m_painter.setClipping(false);
}

double TimelineStripPainter::viewX(double ms) const
{
    return stripX(m_scene, m_lane, ms);
}

void TimelineStripPainter::paintFrame(const Row& row, const QString& name, const QString& note, bool isHot)
{
    const double width = m_geometry.header;
    m_painter.setClipping(false);
    m_painter.fillRect(QRectF(0, row.top, width - 1, row.height), color(&Tokens::window));
    m_painter.fillRect(QRectF(width - 1, row.top, 1, row.height), color(&Tokens::border));
    m_painter.fillRect(QRectF(0, row.top, m_scene.size.width(), 1), color(&Tokens::border));
    const QRectF words(12 * m_unit, row.top, width - 24 * m_unit, row.height);
    m_painter.setFont(uiFont(TextSize::Small, QFont::DemiBold));
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, name);
    m_painter.setFont(uiFont(TextSize::Small, isHot ? QFont::DemiBold : QFont::Normal));
    m_painter.setPen(color(isHot ? &Tokens::failed : &Tokens::muted));
    m_painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, note);
    m_painter.setClipRect(QRectF(width, row.top + 1, m_scene.size.width() - width, row.height - 1));
}

const SampleRow& TimelineStripPainter::sampleAtCursor() const
{
    const auto& samples = m_scene.tracks.samples;
    if (m_scene.atHead || m_scene.current == HistoryModel::kNone)
        return samples.back();
    const double at = m_scene.model.mark(m_scene.current).timeMs;
    const auto after = std::ranges::upper_bound(samples, at, {}, &SampleRow::timeMs);
    return after == samples.begin() ? samples.front() : *std::prev(after);
}

bool TimelineStripPainter::isThrottledAtCursor() const
{
    const auto& samples = m_scene.tracks.samples;
    const auto at = std::ranges::find(samples, sampleAtCursor().timeMs, &SampleRow::timeMs);
    if (at == samples.begin() || at == samples.end())
        return false;
    const SampleRow& before = *std::prev(at);
    return at->throttledMs - before.throttledMs >= (at->timeMs - before.timeMs) * kHeldBack
        && at->throttledMs > before.throttledMs;
}

void TimelineStripPainter::paintCourse(const Row& row, double SampleRow::*figure, double top)
{
    const double floor = row.top + row.height - 3 * m_unit;
    const double height = row.height - 8 * m_unit;
    QPainterPath line;
    QPainterPath area;
    double lastMs = 0;
    double lastX = -1e9;
    bool isBegun = false;
    const auto close = [&] {
        if (isBegun)
            area.lineTo(lastX, floor);
    };
    const auto& samples = m_scene.tracks.samples;
    const auto [from, to] = seenPart(m_scene, m_lane, samples);
    for (std::size_t i = from; i < to; ++i) {
        const SampleRow& sample = samples[i];
        const double x = viewX(sample.timeMs);
        const bool breaks = sample.timeMs - lastMs > kGapMs;
        lastMs = sample.timeMs;
        const bool isSeen = x > m_geometry.header - 20 && x < m_scene.size.width() + 20;
        if (!breaks && (!isSeen || x - lastX < 1)) // of a pixel one
            continue;
        const double y = floor - std::clamp(sample.*figure / top, 0.0, 1.0) * height;
        if (breaks || !isBegun) {
            close();
            line.moveTo(x, y);
            area.moveTo(x, floor);
            isBegun = true;
        } else {
            line.lineTo(x, y);
        }
        area.lineTo(x, y);
        lastX = x;
    }
    close();
    m_painter.fillPath(area, color(&Tokens::neutralTint));
    m_painter.setPen(timelinePen(&Tokens::text2, 1.25));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(line);
}

void TimelineStripPainter::paintLimit(const Row& row, double share, const QString& words)
{
    const double floor = row.top + row.height - 3 * m_unit;
    const double y = std::round(floor - share * (row.height - 8 * m_unit)) + 0.5;
    QPen dashed = timelinePen(&Tokens::failed, 1);
    dashed.setDashPattern({ 4, 3 });
    m_painter.setPen(dashed);
    m_painter.drawLine(QPointF(m_geometry.header, y), QPointF(m_scene.size.width(), y));
    m_painter.setFont(uiFont(TextSize::Tiny));
    m_painter.setPen(color(&Tokens::muted));
    m_painter.drawText(QRectF(m_geometry.header + 8 * m_unit, y + 1, 200 * m_unit, 14 * m_unit),
                       Qt::AlignLeft | Qt::AlignVCenter, words);
}

void TimelineStripPainter::paintCpu(const Row& row)
{
    const SampleRow& now = sampleAtCursor();
    const double cores = m_scene.tracks.cpuLimit;
    const QString used = QString::number(now.cpuPercent / 100, 'f', 2);
    const bool isHeldBack = isThrottledAtCursor();
    paintFrame(row, QObject::tr("CPU"),
               isHeldBack ? QObject::tr("throttled at %1 cores").arg(cores > 0 ? cores : now.cpuPercent / 100)
                   : cores > 0 ? QObject::tr("%1 of %2 cores").arg(used).arg(cores)
                               : QObject::tr("%1 cores").arg(used),
               isHeldBack);
    double top = std::max(100.0, cores * 100);
    for (const SampleRow& sample : m_scene.tracks.samples)
        top = std::max(top, sample.cpuPercent);
    paintCourse(row, &SampleRow::cpuPercent, top);
    paintThrottling(row);
}

// Draws a line at the top while the session wanted more than its share, as long as it was held back.
void TimelineStripPainter::paintThrottling(const Row& row)
{
    const auto& samples = m_scene.tracks.samples;
    const double y = row.top + 3 * m_unit;
    m_painter.setPen(timelinePen(&Tokens::warn, 2));
    double from = 0;
    double to = -1;
    const auto draw = [&] {
        if (to > from)
            m_painter.drawLine(QPointF(from, y), QPointF(std::max(to, from + 2), y));
    };
    const auto [first, end] = seenPart(m_scene, m_lane, samples);
    for (std::size_t i = std::max<std::size_t>(1, first); i < end; ++i) {
        const SampleRow& before = samples[i - 1];
        const SampleRow& now = samples[i];
        const double span = now.timeMs - before.timeMs;
        if (span > kGapMs || now.throttledMs - before.throttledMs < span * kHeldBack)
            continue;
        const double left = viewX(before.timeMs);
        if (left > to + 1) {
            draw();
            from = left;
        }
        to = viewX(now.timeMs);
    }
    draw();
}

void TimelineStripPainter::paintMemory(const Row& row)
{
    const SampleRow& now = sampleAtCursor();
    double most = 1;
    for (const SampleRow& sample : m_scene.tracks.samples)
        most = std::max(most, sample.memoryBytes);
    const double limit = now.memoryLimit;
    const bool showsLimit = limit > 0 && most > limit / 4;
    const double top = showsLimit ? limit * 1.08 : most * 1.15;
    paintFrame(row, QObject::tr("Memory"), formatMemoryOf(now.memoryBytes, limit),
               limit > 0 && now.memoryBytes >= limit * kHot);
    paintCourse(row, &SampleRow::memoryBytes, top);
    if (showsLimit)
        paintLimit(row, limit / top, QObject::tr("limit %1").arg(formatMemory(limit)));
}

void TimelineStripPainter::paintEvents(const Row& row)
{
    paintFrame(row, QObject::tr("Events"), {}, false);
    const double y = row.top + row.height / 2 + 0.5;
    paintCells(y);
    paintArtifacts(y);
    paintKills(y);
    paintTroubles(y);
    m_painter.setClipping(false);
}

// Marks where the sandbox's memory ran out and something in it was killed.
void TimelineStripPainter::paintKills(double y)
{
    const auto& samples = m_scene.tracks.samples;
    m_painter.setFont(uiFont(TextSize::Tiny, QFont::DemiBold));
    const auto [from, to] = seenPart(m_scene, m_lane, samples);
    for (std::size_t i = std::max<std::size_t>(1, from); i < to; ++i) {
        if (samples[i].oomKills <= samples[i - 1].oomKills)
            continue;
        const double x = viewX(samples[i].timeMs);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(&Tokens::failed));
        m_painter.drawEllipse(QPointF(x, y), 4 * m_unit, 4 * m_unit);
        m_painter.setPen(color(&Tokens::failed));
        m_painter.drawText(QRectF(x + 7 * m_unit, y - 8 * m_unit, 40 * m_unit, 16 * m_unit),
                           Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("OOM"));
    }
}

// Diamonds; those that stand too near are one with their count.
void TimelineStripPainter::paintArtifacts(double y)
{
    const double side = 5 * m_unit;
    for (const StripMark& mark : artifactMarks(m_scene, m_lane)) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(&Tokens::text2));
        m_painter.drawPolygon(QPolygonF(
            { { mark.x - side, y }, { mark.x, y - side }, { mark.x + side, y }, { mark.x, y + side } }));
        if (mark.items.size() == 1)
            continue;
        m_painter.setFont(uiFont(TextSize::Tiny));
        m_painter.setPen(color(&Tokens::muted));
        m_painter.drawText(QRectF(mark.x + side + 3, y - 8 * m_unit, 40 * m_unit, 16 * m_unit),
                           Qt::AlignLeft | Qt::AlignVCenter, QString::number(mark.items.size()));
    }
}

// Small squares at the foot of the row; of several, one that failed decides.
void TimelineStripPainter::paintCells(double y)
{
    const double side = 4 * m_unit;
    for (const StripMark& mark : cellMarks(m_scene, m_lane)) {
        const bool isFailed = std::ranges::any_of(
            mark.items, [this](std::size_t item) { return m_scene.tracks.cells[item].isFailed; });
        const QRectF square(mark.x - side / 2, y + 3 * m_unit, side, side);
        m_painter.fillRect(square, color(isFailed ? &Tokens::failed : &Tokens::muted));
    }
}

void TimelineStripPainter::paintTroubles(double y)
{
    const HistoryModel& model = m_scene.model;
    const double side = 12 * m_unit;
    double lastX = -1e9;
    const double left = m_scene.scroll.x();
    const double right = left + m_scene.size.width() - m_geometry.header;
    const TimelineGeometry::Range seen = m_geometry.marksBetween(model, m_lane, left, right);
    if (seen.to < seen.from)
        return;
    const auto& marks = model.lane(m_lane).marks;
    const HistoryModel::LaneMark last{ m_lane, marks[static_cast<std::size_t>(seen.to)] };
    for (auto it = model.troubles().lower_bound({ m_lane, marks[static_cast<std::size_t>(seen.from)] });
         it != model.troubles().end() && *it <= last && lastX < m_scene.size.width(); ++it) {
        const int index = it->second;
        for (const TaskRow& task : model.tasksOf(index, kMostShownTasks)) {
            const StateKind kind = stateOf(task.outcome);
            if (kind != StateKind::Failed && kind != StateKind::Waiting)
                continue;
            const double seconds = taskSeconds(task, m_scene.nowMs);
            const double ended = std::isnan(task.startedMs) ? model.mark(index).timeMs
                : std::isnan(seconds)                       ? task.startedMs
                                                            : task.startedMs + seconds * 1000;
            const double x = std::max(viewX(ended), lastX + side + 2);
            lastX = x;
            paintStateGlyph(m_painter, kind, QRectF(x - side / 2, y - side / 2, side, side), tokens().base);
        }
    }
}

} // namespace sg::ui
