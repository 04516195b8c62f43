#include "ui/timeline/playback.h"

#include "ui/timeline/timeline_view.h"

#include <QTimer>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kShortestMs = 120; // a picture that can be seen
constexpr double kLongestMs = 2000;

} // namespace

Playback::Playback(TimelineView& view, QObject* parent)
    : QObject(parent)
    , m_view(view)
    , m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &Playback::step);
    connect(&view, &TimelineView::checkpointSelected, this, [this] {
        if (!m_stepping)
            pause(); // the user takes the cursor
    });
}

bool Playback::isPlaying() const
{
    return m_timer->isActive();
}

void Playback::toggle()
{
    if (isPlaying()) {
        pause();
        return;
    }
    if (m_view.currentMark() == HistoryModel::kNone)
        return;
    m_stepping = true;
    if (m_view.isAtHead())
        m_view.goToFirst();
    m_stepping = false;
    m_timer->start(untilNext());
    Q_EMIT changed();
}

void Playback::pause()
{
    if (!isPlaying())
        return;
    m_timer->stop();
    Q_EMIT changed();
}

void Playback::setSpeed(double factor)
{
    m_speed = factor;
    if (isPlaying())
        m_timer->start(untilNext());
}

void Playback::step()
{
    m_stepping = true;
    const bool went = m_view.stepOnWay();
    m_stepping = false;
    if (went && !m_view.isAtHead())
        m_timer->start(untilNext());
    else
        Q_EMIT changed();
}

int Playback::untilNext() const
{
    const int current = m_view.currentMark();
    if (current == HistoryModel::kNone)
        return static_cast<int>(kShortestMs);
    const HistoryModel& model = m_view.model();
    const HistoryModel::Mark& mark = model.mark(current);
    const int next = model.markAt(mark.lane, mark.column + 1);
    const double ms = next == HistoryModel::kNone ? 1000 : (model.mark(next).timeMs - mark.timeMs) / m_speed;
    return static_cast<int>(std::isnan(ms) ? kLongestMs / m_speed
                                           : std::clamp(ms, kShortestMs, kLongestMs / std::sqrt(m_speed)));
}

} // namespace sg::ui
