#pragma once

#include "ui/timeline/timeline_panel.h"

#include <QElapsedTimer>
#include <QList>

class QAction;
class QComboBox;
class QHBoxLayout;
class QTimer;
class QToolButton;

namespace sg::ui {

class InkLabel;
class MiniHistory;
class Playback;
class RewindLegend;
class SegmentedControl;
class TimelineView;

// The timeline's title row and view; its panel hands on to them.
struct TimelinePanel::Impl : QObject {
    Impl(ShownHistory& history, TimelinePanel* panel);
    void createPlayback(QHBoxLayout& words);
    void createAxis(QHBoxLayout& words);
    void createZoom();
    void createFold(QHBoxLayout& words);
    void describe();
    void showActions(); // what can be done now
    void describeSoon(); // while a run goes on fast: words that change lay the window out again
    void showPlaying();

    TimelinePanel* panel;
    InkLabel* title;
    InkLabel* thread;
    QWidget* line;
    InkLabel* where; // "Step 4"
    InkLabel* count; // "of branch 2, 3 branches, 21 checkpoints"
    QHBoxLayout* verbs;
    TimelineView* view;
    Playback* playback;
    QAction* play;
    QToolButton* playButton;
    QComboBox* speed;
    RewindLegend* legend;
    SegmentedControl* axis;
    QList<QAction*> axes;
    QList<QAction*> zooms;
    QAction* nested;
    QAction* fold;
    MiniHistory* mini;
    QWidget* row;
    QTimer* soon;
    QElapsedTimer described;
};

} // namespace sg::ui
