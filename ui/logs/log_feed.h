#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/selection/panel_parts.h"

#include <QHash>
#include <QObject>

#include <vector>

namespace sg::ui {

class LogPanel;

// Reads what the selected thread has printed, for its panel.
class LogFeed : public QObject {
    Q_OBJECT
public:
    LogFeed(const PanelParts& parts, LogPanel& panel); // which owns it

private:
    void follow();
    void coverFailures();
    void load();
    void loadPictures(const std::vector<ArtifactRow>& artifacts); // of what the thread's nodes have shown
    void showMoment();

    const PanelParts m_parts;
    LogPanel& m_panel;
    QHash<QString, QString> m_pictures; // asked for: names by artifact
};

} // namespace sg::ui
