#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class ThreadOverview;

// The runs of all threads on one axis, and the way to one of them.
class OverviewPart : public WindowPart {
    Q_OBJECT
public:
    OverviewPart(const WindowParts& parts, ThreadOverview& overview);

private:
    ThreadOverview* const m_overview;
};

} // namespace sg::ui
