#pragma once

#include "ui/shell/parts/window_part.h"

#include <QSet>

#include <optional>
#include <utility>
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
    void showMoment(); // which of them were there at the selected checkpoint

private:
    void showArtifacts(const std::vector<ArtifactRow>& rows);
    void showOriginWanted(); // where the artifact was made that was asked for
    [[nodiscard]] QSet<QString> madeBefore(const QString& checkpoint) const;

    ArtifactsPanel* const m_artifacts;
    std::vector<ArtifactRow> m_rows; // of the selected thread
    std::optional<std::pair<QString, QString>> m_originWanted; // thread and checkpoint, of an artifact
};

} // namespace sg::ui
