#pragma once

#include "ui/timeline/timeline_painter.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace sg::ui {

// The rows below the lanes, from the top down.
struct StripRow {
    enum class Kind { Watch, Cpu, Memory, Events };
    Kind kind = Kind::Events;
    int watch = 0; // of Watch
    double top = 0; // in the view
    double height = 0;
};
std::vector<StripRow> stripRows(const TimelineScene& scene);
int stripLane(const TimelineScene& scene); // of the viewed branch

// Returns the x of a moment of that branch in the view.
double stripX(const TimelineScene& scene, int lane, double ms);

// Returns the part of `items`, which are in order of time, that can be seen, and a bit more on both sides.
template<typename Item>
std::pair<std::size_t, std::size_t> seenPart(const TimelineScene& scene, int lane,
                                             const std::vector<Item>& items);

// Events that stand too near to one another are one mark.
struct StripMark {
    double x = 0; // of the first
    std::vector<std::size_t> items;
};
std::vector<StripMark> artifactMarks(const TimelineScene& scene, int lane); // of that branch alone
std::vector<StripMark> cellMarks(const TimelineScene& scene, int lane);

// Returns what stands under a point of the strip, for people; empty: nothing.
QString stripTipAt(const TimelineScene& scene, const QPointF& point);

template<typename Item>
std::pair<std::size_t, std::size_t> seenPart(const TimelineScene& scene, int lane,
                                             const std::vector<Item>& items)
{
    constexpr double kMore = 24;
    const auto firstAt = [&](double x) {
        return static_cast<std::size_t>(
            std::partition_point(items.begin(), items.end(),
                                 [&](const Item& item) { return stripX(scene, lane, item.timeMs) < x; })
            - items.begin());
    };
    const std::size_t from = firstAt(scene.geometry.header - kMore);
    const std::size_t to = firstAt(scene.size.width() + kMore);
    return { from > 0 ? from - 1 : 0, std::min(items.size(), to + 1) };
}

} // namespace sg::ui
