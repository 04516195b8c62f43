#include "ui/timeline/axis_scale.h"

#include "ui/widgets/fonts.h"

#include <limits>
#include <utility>

namespace sg::ui {

namespace {

constexpr double kPlainStep = 120; // of a superstep on the Step axis at 100 %
constexpr double kShortestStepMs = 20; // of the superstep that 100 % is made for
constexpr int kMayRun = 64; // of the newest checkpoints: tasks run from one of them

} // namespace

void AxisScale::setZoom(double zoom, TimelineGeometry& geometry)
{
    m_zoom = zoom;
    geometry.step = scaledLength(kPlainStep) * m_zoom;
    m_isOld = true;
}

void AxisScale::contentChanged(int firstMark)
{
    m_isOld = true;
    m_busyFrom = std::min(m_busyFrom, firstMark);
}

void AxisScale::timeWentOn()
{
    contentChanged(std::max(0, m_model.head() - kMayRun));
}

void AxisScale::renew(TimelineGeometry& geometry)
{
    if (!m_isOld || geometry.axis == TimelineAxis::Step)
        return;
    m_isOld = false;
    geometry.scale = TimeScale(busy(), plainRate() * m_zoom, geometry.axis == TimelineAxis::Folded);
}

double AxisScale::fitting(const TimelineGeometry& geometry, double room) const
{
    if (geometry.axis == TimelineAxis::Step)
        return room / (std::max(1, m_model.columnCount()) * double(scaledLength(kPlainStep)));
    const TimeScale whole(busy(), plainRate(), geometry.axis == TimelineAxis::Folded);
    return room / std::max(1.0, whole.width());
}

// A superstep of usual length takes as much room as on the Step axis.
double AxisScale::plainRate() const
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

const std::vector<TimeScale::Busy>& AxisScale::busy() const
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

} // namespace sg::ui
