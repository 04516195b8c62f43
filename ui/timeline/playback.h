#pragma once

#include <QObject>

class QTimer;

namespace sg::ui {

class TimelineView;

// Moves the timeline's cursor along its way to the head, at the pace of the run or a multiple of it; waits
// are shortened, so that nobody watches idle time.
class Playback : public QObject {
    Q_OBJECT
public:
    Playback(TimelineView& view, QObject* parent);

    [[nodiscard]] bool isPlaying() const;
    void toggle(); // at the head it begins from the first checkpoint
    void pause();
    void setSpeed(double factor); // 1: as it ran

Q_SIGNALS:
    void changed(); // plays or not

private:
    void step();
    [[nodiscard]] int untilNext() const; // ms

    TimelineView& m_view;
    QTimer* m_timer;
    double m_speed = 1;
    bool m_stepping = false;
};

} // namespace sg::ui
