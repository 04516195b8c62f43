#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class ArtifactsPanel;
class ArtifactsPart;
class LogPanel;
class ThreadList;
class ThreadOverview;

// What could not be read: over everything, and in the panel that would show it.
class FailureCovers : public WindowPart {
    Q_OBJECT
public:
    FailureCovers(const WindowParts& parts, ThreadList& threads, ThreadOverview& overview, LogPanel& log,
                  ArtifactsPanel& made, ArtifactsPart& artifacts);
};

} // namespace sg::ui
