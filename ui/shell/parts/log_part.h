#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/shell/parts/window_part.h"

#include <QHash>

#include <vector>

namespace sg::ui {

class ArtifactsPanel;
class LogPanel;

// What the selected thread has printed, in its panel and as marks on the timeline.
class LogPart : public WindowPart {
    Q_OBJECT
public:
    LogPart(const WindowParts& parts, ArtifactsPanel& artifacts); // which asks for what a node said

private:
    void load();
    void loadPictures(const std::vector<ArtifactRow>& artifacts); // of what the thread's nodes have shown
    void showMoment(bool isChosen); // of the selected checkpoint

    LogPanel* const m_log;
    QHash<QString, QString> m_pictures; // asked for: names by artifact
};

} // namespace sg::ui
