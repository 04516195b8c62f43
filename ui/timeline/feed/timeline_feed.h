#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>

namespace sg::ui {

class TimelinePanel;

// Reads what the timeline shows beside the history itself: runs inside of tasks, watched expressions, cells,
// bookmarks and what was measured.
class TimelineFeed : public QObject {
    Q_OBJECT
public:
    TimelineFeed(const PanelParts& parts, TimelinePanel& timeline); // which owns it

private:
    void readNested();
    void readWatches();
    void readLog();
    void showBookmarks();
    void coverFailures();
    [[nodiscard]] bool isShown(const QString& thread) const;

    const PanelParts m_parts;
    TimelinePanel& m_timeline;
};

} // namespace sg::ui
