#pragma once

#include "ui/timeline/timeline_geometry.h"

#include <algorithm>
#include <vector>

namespace sg::ui {

// The room that the axis gives to a superstep or to time. It follows the history: whoever changes the history
// says from which mark on.
class AxisScale {
public:
    explicit AxisScale(const HistoryModel& model)
        : m_model(model)
    {
    }

    [[nodiscard]] double zoom() const { return m_zoom; } // 1: 100 %
    void setZoom(double zoom, TimelineGeometry& geometry);
    void contentChanged(int firstMark); // from that mark on
    void timeWentOn(); // for tasks that run
    void makeAnew() { m_isOld = true; } // for another axis
    void renew(TimelineGeometry& geometry); // does nothing where nothing changed
    // Returns the zoom at which all of the history has that much room.
    [[nodiscard]] double fitting(const TimelineGeometry& geometry, double room) const;

private:
    [[nodiscard]] double plainRate() const; // pixels a millisecond at 100 %
    [[nodiscard]] const std::vector<TimeScale::Busy>& busy() const;

    const HistoryModel& m_model;
    double m_zoom = 1;
    bool m_isOld = true;
    mutable int m_busyFrom = 0; // spans of marks from there on are not in `m_busy`
    mutable std::vector<TimeScale::Busy> m_busy;
};

} // namespace sg::ui
