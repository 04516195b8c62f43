#pragma once

#include "ui/shell/parts/window_part.h"

#include <vector>

namespace sg::ui {

class ArtifactsPanel;
class ProjectPages;
class StartPart;
struct QuickItem;

// Lists the places that the keyboard can go to: nodes, threads, panels and whatever else has a name. Also
// moves from panel to panel.
class Places : public WindowPart {
    Q_OBJECT
public:
    Places(const WindowParts& parts, ArtifactsPanel& artifacts, const StartPart& start,
           ProjectPages& projects);

    [[nodiscard]] std::vector<QuickItem> all() const;
    void goTo(const QString& place);
    void cycleFocus(int by); // tool bar, panels, canvas
    void showGuide(); // the chapter of what has the focus
    bool showPanel(const QString& title); // false: there is none

private:
    bool showDocument(const QString& kind);

    ArtifactsPanel* const m_artifacts;
    const StartPart* const m_start;
    ProjectPages* const m_projects;
};

} // namespace sg::ui
