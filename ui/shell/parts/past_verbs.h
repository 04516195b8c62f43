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
class ReplayVerbs;
class SessionPanel;

// Places the verbs that go back to a checkpoint, and shows on canvas and timeline what their preview plans.
class PastVerbs : public WindowPart {
    Q_OBJECT
public:
    PastVerbs(const WindowParts& parts, ReplayPanel& replay, CanvasPanel& canvas, LogPanel& log,
              SessionPanel& session);

    // Takes actions that are made after this one, for the timeline's menu.
    void setBeside(QAction* bookmark, QAction* compare);
    void addTo(QMenu& thread);
    [[nodiscard]] QAction* failureAction() const { return m_goToFailure; }
    [[nodiscard]] QAction* runToAction() const; // up to the selected node
    void offerCopy(); // of a database that is only read, as a project

Q_SIGNALS:
    void openWanted(const QString& folder); // a copy of what is only read

private:
    void placeVerbs();
    void followPreview();
    void showPlanned(const ReplayPlan& plan); // on canvas and timeline
    void updateFailure();
    [[nodiscard]] TaskRow failedTask() const; // none: no id
    void goToFailure();
    void showTimelineMenu(const QString& node, const QPoint& at);

    ReplayPanel* const m_replay;
    const ReplayVerbs& m_verbs;
    CanvasPanel* const m_graph;
    LogPanel* const m_log;
    SessionPanel* const m_session;
    QAction* m_bookmark = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_goToFailure;
};

} // namespace sg::ui
