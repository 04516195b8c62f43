#pragma once

#include "ui/shell/parts/window_part.h"

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
    void showMoment(bool isChosen); // of the selected checkpoint

    LogPanel* const m_log;
};

} // namespace sg::ui
