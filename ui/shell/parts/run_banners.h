#pragma once

#include "ui/shell/parts/window_part.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace sg::ui {

class CanvasPanel;
class RunBar;
class SessionPanel;

// Returns the channel that a run lacked, by the words of its error; empty: it lacked none.
[[nodiscard]] QString missingChannelOf(const QString& error);

// Shows messages about runs over the canvas: a failure until its thread runs on, and that the shown thread is
// paused. Each message carries the verbs that help.
class RunBanners : public WindowPart {
    Q_OBJECT
public:
    RunBanners(const WindowParts& parts, RunBar& bar, CanvasPanel& canvas, SessionPanel& session);

    void tellFailure(const QString& thread, const UserError& error);
    void tellRefused(const QString& thread,
                     const UserError& error); // why none began; until the next one does
    void noteStarted(const QString& thread);
    void noteStatus(const QString& thread, RunStatus status); // as the threads' list has it now
    // Shows the failure at which the selected thread stopped, however old it is; null: there is none. Each is
    // shown once.
    void tellStanding(const QString& thread, const TaskRow* failed);
    void tellPaused(const QStringList& before, int step); // the selected thread; no nodes: it is not paused

Q_SIGNALS:
    void codeRequested(const QString& file, int line); // where it failed
    void replayWanted(const sg::ui::TaskRow& failed); // a preview of it

private:
    [[nodiscard]] std::vector<BannerAction> verbsFor(const QString& thread, const UserError& error);
    [[nodiscard]] std::vector<BannerAction> cardVerbs(const TaskRow& failed);
    [[nodiscard]] static UserError errorOf(const TaskRow& failed);
    void addMemoryVerbs(const UserError& error, std::vector<BannerAction>& verbs);
    void raiseLimit(const TaskRow& failed);
    void addChannel(const QString& channel);
    [[nodiscard]] TaskRow failedTask(const QString& node) const; // the last one of that node

    RunBar* const m_bar;
    CanvasPanel* const m_canvas;
    SessionPanel* const m_session;
    std::vector<SessionRow> m_sessions;
    QString m_failedThread; // whose failure is told
    QString m_standing; // the task that the selected thread stands at, once it was told
};

} // namespace sg::ui
