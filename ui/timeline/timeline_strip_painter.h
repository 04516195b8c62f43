#pragma once

#include "ui/timeline/timeline_painter.h"

namespace sg::ui {

// The heights of the rows below the lanes. A row with nothing to show in it, or without room, has height 0.
struct TimelineStrip {
    static constexpr double kWatchHeight = 36; // at the designed text size
    static constexpr double kCpuHeight = 32;
    static constexpr double kMemoryHeight = 40;
    static constexpr double kEventsHeight = 20;
    static constexpr double kMostLeft = 36; // less than the highest row needs
    int watches = 0; // rows of watched expressions
    bool hasMemory = false;
    bool hasCpu = false; // where there is room for memory, too
    bool hasEvents = false;
    double left = 0; // pixels that no row has: added to the height of the memory's
    double height = 0;
};
TimelineStrip timelineStrip(const HistoryModel& model, const TimelineTracks& tracks,
                            const WatchTracks& watches, const TimelineGeometry& geometry, double viewHeight,
                            int lanes = 1); // that stay in sight
// Returns how many lanes the strip leaves in sight: one, or while a branch is previewed all those that the
// view has room for.
int lanesInSight(const HistoryModel& model, const TimelineGeometry& geometry, double viewHeight,
                 bool hasPlanned);

// CPU, memory and events of the viewed branch, on the timeline's own axis.
class TimelineStripPainter {
public:
    TimelineStripPainter(QPainter& painter, const TimelineScene& scene);
    void paint();

private:
    struct Row {
        double top;
        double height;
    };
    [[nodiscard]] std::vector<int> seenOnWay() const;
    void paintWatch(const Row& row, const WatchTracks::Track& track);
    void paintWatchWord(const Row& row, const WatchTracks::Track& track, int mark, double x, double& lastWord,
                        QString& told);
    void paintWatchScale(const Row& row, const WatchTracks::Track& track);
    void paintFrame(const Row& row, const QString& name, const QString& note, bool isHot);
    void paintCourse(const Row& row, double SampleRow::*figure, double top);
    void paintLimit(const Row& row, double share, const QString& words);
    void paintCpu(const Row& row);
    void paintThrottling(const Row& row);
    [[nodiscard]] bool isThrottledAtCursor() const;
    void paintMemory(const Row& row);
    void paintEvents(const Row& row);
    void paintArtifacts(double y);
    void paintCells(double y);
    void paintKills(double y);
    void paintTroubles(double y);
    [[nodiscard]] double viewX(double ms) const;
    [[nodiscard]] const SampleRow& sampleAtCursor() const;

    QPainter& m_painter;
    const TimelineScene& m_scene;
    const TimelineGeometry& m_geometry;
    double m_unit;
    int m_lane;
};

} // namespace sg::ui
