#pragma once

#include "ui/shell/parts/window_part.h"

#include <QSet>

#include <vector>

namespace sg::ui {

class ArtifactsPanel;

// What the thread has made: listed, looked at and copied out.
class ArtifactsPart : public WindowPart {
    Q_OBJECT
public:
    ArtifactsPart(const WindowParts& parts, ArtifactsPanel& artifacts);

    void load(); // as the panel wants them: of the thread, or of all
    [[nodiscard]] const std::vector<ArtifactRow>& rows() const { return m_rows; } // of the selected thread

private:
    void showArtifacts(const std::vector<ArtifactRow>& rows);
    void clear();
    void showCount(std::size_t count);
    void showMoment(); // which of them were there at the selected checkpoint
    [[nodiscard]] QSet<QString> madeBefore(const QString& checkpoint) const;

    ArtifactsPanel* const m_artifacts;
    std::vector<ArtifactRow> m_rows; // of the selected thread
};

} // namespace sg::ui
