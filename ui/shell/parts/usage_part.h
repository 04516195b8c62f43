#pragma once

#include "ui/bridge/rows/usage_rows.h"
#include "ui/shell/parts/window_part.h"

#include <optional>

class QAction;
class QTimer;

namespace sg::ui {

class StatePanel;
class UsagePanel;

// What models took on the way to the step that is shown.
class UsagePart : public WindowPart {
    Q_OBJECT
public:
    UsagePart(const WindowParts& parts, UsagePanel& panel, StatePanel& state);

    [[nodiscard]] QAction* showAction() const { return m_showUsage; }

private:
    void askUsage(); // soon
    void showUsage(const UsageRows& usage);
    void showUsageLine();

    UsagePanel* const m_usage;
    StatePanel* const m_state;
    QAction* m_showUsage;
    QTimer* m_usageSoon;
    UsageRows m_usageShown;
    std::optional<QString> m_usageAsked; // the checkpoint whose usage is being asked for
};

} // namespace sg::ui
