#include "ui/timeline/timeline_strip_marks.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/timeline_strip_painter.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/time_format.h"

#include <QObject>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kEventRoom = 16; // nearer marks are one with their count
constexpr double kTipReach = 9;
constexpr std::size_t kMostNamed = 8;

template<typename Item, typename Fits>
std::vector<StripMark> marksOf(const TimelineScene& scene, int lane, const std::vector<Item>& items,
                               Fits fits)
{
    std::vector<StripMark> marks;
    const auto [from, to] = seenPart(scene, lane, items);
    for (std::size_t i = from; i < to; ++i) {
        if (!fits(items[i]))
            continue;
        const double x = stripX(scene, lane, items[i].timeMs);
        if (marks.empty() || x - marks.back().x >= kEventRoom * scene.geometry.unit())
            marks.push_back({ x, {} });
        marks.back().items.push_back(i);
    }
    return marks;
}

template<typename Item, typename Words>
void tell(const std::vector<StripMark>& marks, const std::vector<Item>& items, const QPointF& point,
          double unit, Words words, QStringList& lines)
{
    for (const StripMark& mark : marks) {
        if (std::abs(mark.x - point.x()) > kTipReach * unit)
            continue;
        for (std::size_t i = 0; i < std::min(kMostNamed, mark.items.size()); ++i)
            lines << words(items[mark.items[i]]);
        if (mark.items.size() > kMostNamed)
            lines << QObject::tr("and %1 more").arg(mark.items.size() - kMostNamed);
    }
}

QString eventsTip(const TimelineScene& scene, int lane, const QPointF& point)
{
    QStringList lines;
    const double unit = scene.geometry.unit();
    tell(
        artifactMarks(scene, lane), scene.tracks.artifacts, point, unit,
        [](const TimelineTracks::Artifact& artifact) {
            return QObject::tr("Artifact %1, %2").arg(artifact.name, formatClock(artifact.timeMs));
        },
        lines);
    tell(
        cellMarks(scene, lane), scene.tracks.cells, point, unit,
        [](const TimelineTracks::Cell& cell) {
            return QStringLiteral("%1, %2").arg(cell.words, formatClock(cell.timeMs));
        },
        lines);
    const auto& samples = scene.tracks.samples;
    const auto [from, to] = seenPart(scene, lane, samples);
    for (std::size_t i = std::max<std::size_t>(1, from); i < to; ++i)
        if (samples[i].oomKills > samples[i - 1].oomKills
            && std::abs(stripX(scene, lane, samples[i].timeMs) - point.x()) <= kTipReach * unit)
            lines << QObject::tr("Memory ran out: something in the sandbox was killed, %1")
                         .arg(formatClock(samples[i].timeMs));
    return lines.join(QLatin1Char('\n'));
}

QString sampleTip(const TimelineScene& scene, int lane, StripRow::Kind kind, const QPointF& point)
{
    const auto& samples = scene.tracks.samples;
    const auto behind = std::partition_point(samples.begin(), samples.end(), [&](const SampleRow& sample) {
        return stripX(scene, lane, sample.timeMs) < point.x();
    });
    if (samples.empty()
        || (behind == samples.end() && point.x() > stripX(scene, lane, samples.back().timeMs) + kTipReach))
        return {};
    const SampleRow& sample = behind == samples.end() ? samples.back() : *behind;
    const QString figure = kind == StripRow::Kind::Cpu
        ? QObject::tr("CPU: %1 cores").arg(QString::number(sample.cpuPercent / 100, 'f', 2))
        : QObject::tr("Memory: %1").arg(formatMemoryOf(sample.memoryBytes, sample.memoryLimit));
    return QStringLiteral("%1, %2").arg(figure, formatClock(sample.timeMs));
}

QString watchTip(const TimelineScene& scene, int lane, int watch, const QPointF& point)
{
    const TimelineGeometry& geometry = scene.geometry;
    const QPointF content(point.x() - geometry.header + scene.scroll.x(), geometry.laneY(lane));
    const int behind = geometry.markBehind(scene.model, lane, 0, content.x());
    const auto& marks = scene.model.lane(lane).marks;
    if (behind == 0 || marks.empty())
        return {};
    const int mark = marks[static_cast<std::size_t>(std::min(behind, static_cast<int>(marks.size())) - 1)];
    const WatchTracks::Track& track = scene.watches.tracks()[static_cast<std::size_t>(watch)];
    const QString value = WatchTracks::wordsAt(track, mark);
    return value.isEmpty()
        ? QString()
        : QObject::tr("%1 is %2, %3").arg(track.program, value, stepName(scene.model.mark(mark).step));
}

} // namespace

int stripLane(const TimelineScene& scene)
{
    return scene.current == HistoryModel::kNone ? 0 : scene.model.mark(scene.current).lane;
}

double stripX(const TimelineScene& scene, int lane, double ms)
{
    return scene.geometry.header - scene.scroll.x() + scene.geometry.timeX(scene.model, lane, ms);
}

std::vector<StripRow> stripRows(const TimelineScene& scene)
{
    const TimelineStrip strip = timelineStrip(
        scene.model, scene.tracks, scene.watches, scene.geometry, scene.size.height(),
        lanesInSight(scene.model, scene.geometry, scene.size.height(), scene.planned != nullptr));
    const double unit = scene.geometry.unit();
    double top = scene.lanesBottom;
    std::vector<StripRow> rows;
    const auto add = [&](StripRow::Kind kind, double height, int watch = 0) {
        rows.push_back({ kind, watch, top, height * unit });
        top += height * unit;
    };
    for (int i = 0; i < strip.watches; ++i)
        add(StripRow::Kind::Watch, TimelineStrip::kWatchHeight, i);
    if (strip.hasCpu)
        add(StripRow::Kind::Cpu, TimelineStrip::kCpuHeight);
    if (strip.hasMemory)
        add(StripRow::Kind::Memory, TimelineStrip::kMemoryHeight + strip.left / unit);
    if (strip.hasEvents)
        add(StripRow::Kind::Events, TimelineStrip::kEventsHeight);
    return rows;
}

std::vector<StripMark> artifactMarks(const TimelineScene& scene, int lane)
{
    const std::vector<int> path = scene.model.pathTo(scene.model.lastOf(lane));
    return marksOf(scene, lane, scene.tracks.artifacts, [&](const TimelineTracks::Artifact& artifact) {
        const int mark =
            artifact.checkpoint.isEmpty() ? HistoryModel::kNone : scene.model.find(artifact.checkpoint);
        return mark == HistoryModel::kNone || scene.model.isOnPath(mark, path);
    });
}

std::vector<StripMark> cellMarks(const TimelineScene& scene, int lane)
{
    return marksOf(scene, lane, scene.tracks.cells, [](const TimelineTracks::Cell&) { return true; });
}

QString stripTipAt(const TimelineScene& scene, const QPointF& point)
{
    if (point.x() < scene.geometry.header || scene.model.isEmpty())
        return {};
    const int lane = stripLane(scene);
    for (const StripRow& row : stripRows(scene)) {
        if (point.y() < row.top || point.y() >= row.top + row.height)
            continue;
        switch (row.kind) {
        case StripRow::Kind::Watch: return watchTip(scene, lane, row.watch, point);
        case StripRow::Kind::Cpu:
        case StripRow::Kind::Memory: return sampleTip(scene, lane, row.kind, point);
        case StripRow::Kind::Events: return eventsTip(scene, lane, point);
        }
    }
    return {};
}

} // namespace sg::ui
