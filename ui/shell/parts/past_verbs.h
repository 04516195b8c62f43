#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/shell/parts/window_part.h"

class QAction;
class QMenu;
class QPoint;

namespace sg::ui {

class CanvasPanel;
class LogPanel;
class ReplayPanel;
struct ReplayPlan;
class SessionPanel;
class StatePanel;

// Wires replay and fork from the selected checkpoint, which are previewed before anything runs.
class PastVerbs : public WindowPart {
    Q_OBJECT
public:
    PastVerbs(const WindowParts& parts, ReplayPanel& replay, CanvasPanel& canvas, StatePanel& state,
              LogPanel& log, SessionPanel& session);

    // Takes actions that are made after this one; it goes on with them as with its own verbs.
    void setBeside(QAction* bookmark, QAction* compare);
    void addTo(QMenu& thread);
    [[nodiscard]] QAction* failureAction() const { return m_goToFailure; }
    [[nodiscard]] QAction* runToAction() const { return m_runToNode; } // up to the selected node
    void showVerbs(); // what can be done from it
    void replayFrom(const TaskRow& task); // a preview, from where it began
    void offerCopy(); // of a database that is only read, as a project

Q_SIGNALS:
    void openWanted(const QString& folder); // a copy of what is only read

private:
    void previewReplay(bool fork); // of the selected checkpoint
    void showNodeVerbs(const QString& refusal); // why nothing runs at all; empty: it may
    void rerunNode();
    void showPlanned(const ReplayPlan& plan); // on the canvas
    void runToNode();
    [[nodiscard]] TaskRow failedTask() const; // none: no id
    void goToFailure();
    void showTimelineMenu(const QString& node, const QPoint& at);
    void branchMade(const QString& thread);

    ReplayPanel* const m_replay;
    CanvasPanel* const m_graph;
    StatePanel* const m_state;
    LogPanel* const m_log;
    SessionPanel* const m_session;
    QAction* m_bookmark = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_replayAction;
    QAction* m_forkAction;
    QAction* m_rerunNode;
    QAction* m_runToNode;
    QAction* m_goToFailure;
};

} // namespace sg::ui
