#pragma once

#include "ui/shell/parts/window_part.h"

#include <optional>
#include <utility>

namespace sg::ui {

class ThreadOverview;

// The runs of all threads on one axis, and the way to one of them.
class OverviewPart : public WindowPart {
    Q_OBJECT
public:
    OverviewPart(const WindowParts& parts, ThreadOverview& overview);

private:
    void showMomentWanted();

    ThreadOverview* const m_overview;
    std::optional<std::pair<QString, double>> m_momentWanted; // thread and time that were chosen
};

} // namespace sg::ui
