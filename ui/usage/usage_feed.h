#pragma once

#include "ui/bridge/rows/usage_rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace sg::ui {

class Sight;
class UsagePanel;

// Reads what models took on the way to the step that is shown, for its panel.
class UsageFeed : public QObject {
    Q_OBJECT
public:
    UsageFeed(const PanelParts& parts, UsagePanel& panel); // which owns it

    void readFor(QWidget& other); // see UsagePanel

private:
    void follow();
    void keepPrices();
    void ask();
    void show(const UsageRows& usage);
    void tellLine();

    const PanelParts m_parts;
    UsagePanel& m_panel;
    std::vector<Sight*> m_readers; // each belongs to its panel
    QTimer m_soon;
    UsageRows m_shown;
    std::optional<QString> m_asked; // the checkpoint whose usage is being asked for
};

} // namespace sg::ui
