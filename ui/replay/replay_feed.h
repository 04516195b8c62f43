#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/selection/panel_parts.h"

#include <QObject>

namespace sg::ui {

class ReplayPanel;
class ReplayVerbs;

// Gives the preview what is known of the selected checkpoint, and passes what is confirmed there on to the
// runs.
class ReplayFeed : public QObject {
    Q_OBJECT
public:
    ReplayFeed(const PanelParts& parts, ReplayPanel& panel); // which owns it

    [[nodiscard]] const ReplayVerbs& verbs() const { return *m_verbs; }
    void preview(ReplayVerb verb, const ReplayAim& aim = {}); // of the selected checkpoint
    void previewFrom(const QString& checkpoint); // a replay from there; empty: nothing
    void previewRerun(); // of the selected node, from where it last began
    void previewRunTo(); // up to the selected node

private:
    void followHistory();
    void passOn();
    void showBranch(const QString& thread); // one that was made of it

    const PanelParts m_parts;
    ReplayPanel& m_panel;
    ReplayVerbs* m_verbs;
};

} // namespace sg::ui
