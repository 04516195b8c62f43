#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>
#include <QSet>

#include <vector>

namespace sg::ui {

class ArtifactsPanel;

// Reads what its panel lists: the artifacts of the selected thread, or of all.
class ArtifactsFeed : public QObject {
    Q_OBJECT
public:
    ArtifactsFeed(const PanelParts& parts, ArtifactsPanel& panel); // which owns it

    [[nodiscard]] const std::vector<ArtifactRow>& rows() const { return m_rows; }

private:
    void askFor();
    void answer();
    void follow();
    void coverFailures();
    void load();
    void clear();
    void show(const std::vector<ArtifactRow>& rows);
    void showMoment(); // which of them were there at the selected checkpoint
    [[nodiscard]] QSet<QString> madeBefore(const QString& checkpoint) const;

    const PanelParts m_parts;
    ArtifactsPanel& m_panel;
    std::vector<ArtifactRow> m_rows;
};

} // namespace sg::ui
