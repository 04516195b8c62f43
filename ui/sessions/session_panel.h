#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

// The project's sessions: a list, and of the chosen one its meters, processes, console and limits. Follows
// the shown thread until another session is chosen.
class SessionPanel : public QWidget {
    Q_OBJECT
public:
    explicit SessionPanel(QWidget* parent = nullptr);

    void clear();
    void setMode(const QString& mode); // "Memory · Local data", for the empty state
    void setThread(const QString& thread);
    void setSessions(const std::vector<SessionRow>& sessions);
    void addSamples(const QString& session, const std::vector<SampleRow>& samples);
    void setPast(const SessionPast& past);
    void addNote(const QString& session, const SessionNoteRow& note); // of what happens to it now
    void setProcesses(const ProcessList& processes);
    void setMoment(double timeMs); // that the other panels show; NaN: the newest
    void setTasks(const std::vector<TaskRow>& tasks); // of the thread; the newest are shown
    void changeTasks(const std::vector<TaskRow>& changed); // by their ids; new ones are added
    void printCell(const QString& thread, const std::vector<LogRow>& lines);
    void endCell(const QString& thread, const CellEnd& end);
    void showCompletion(const CodeCompletion& completion);

Q_SIGNALS:
    void modeRequested(); // where it can be changed
    void stopRequested(const QString& session);
    void restartRequested(const QString& session);
    void pauseRequested(const QString& session, bool pause);
    void extendRequested(const QString& session, int minutes);
    void limitsRequested(const QString& session, const sg::ui::SessionLimits& limits);
    void pastRequested(const QString& session);
    void processesRequested(const QString& session);
    void cellEntered(const QString& thread, const QString& code);
    void cellStopRequested(const QString& thread);
    void completionWanted(const QString& thread, const QString& code, int cursor);
    void momentRequested(double timeMs);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
