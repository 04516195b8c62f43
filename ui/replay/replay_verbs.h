#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/selection/panel_parts.h"

#include <QObject>

class QAction;

namespace sg::ui {

class ReplayFeed;

// The verbs that go back to the selected checkpoint. Each opens the preview, and can be used where it makes
// sense; where it does not, its tooltip says why.
class ReplayVerbs : public QObject {
    Q_OBJECT
public:
    ReplayVerbs(const PanelParts& parts, ReplayFeed& feed); // which owns it

    [[nodiscard]] QAction* replay() const { return m_replay; }
    [[nodiscard]] QAction* fork() const { return m_fork; }
    [[nodiscard]] QAction* rerun() const { return m_rerun; } // the selected node alone
    [[nodiscard]] QAction* runTo() const { return m_runTo; } // up to the selected node

Q_SIGNALS:
    void copyWanted(); // a fork of a database that is only read

private:
    void create();
    void follow();
    void update();
    void updateNodeVerbs();
    [[nodiscard]] QString whyNoNode(ReplayRefusal refusal) const; // empty: one may run

    const PanelParts m_parts;
    ReplayFeed& m_feed;
    QAction* m_replay;
    QAction* m_fork;
    QAction* m_rerun;
    QAction* m_runTo;
};

} // namespace sg::ui
