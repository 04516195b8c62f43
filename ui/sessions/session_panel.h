#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QWidget>

#include <vector>

class QMenu;

namespace sg::ui {

struct PanelParts;

// The project's sessions as a list, with meters, processes, console and limits of the chosen one. The panel
// follows the shown thread until the user chooses another session.
class SessionPanel : public QWidget {
    Q_OBJECT
public:
    explicit SessionPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit SessionPanel(QWidget* parent = nullptr); // shows what it is given

    void addTo(QMenu& menu); // what can be done with the session, and its views
    void clear();
    void setMode(const QString& mode); // "Memory · Local data", for the empty state
    void setThread(const QString& thread);
    void setSessions(const std::vector<SessionRow>& sessions);
    void addSamples(const QString& session, const std::vector<SampleRow>& samples);
    void setPast(const SessionPast& past);
    void addNote(const QString& session, const SessionNoteRow& note); // a live event
    void setProcesses(const ProcessList& processes);
    void setMoment(double timeMs); // the time that other panels show; NaN is the present
    void setTasks(const std::vector<TaskRow>& tasks); // of the thread; only the newest are shown
    void changeTasks(const std::vector<TaskRow>& changed); // by id; new tasks are added
    void printCell(const QString& thread, const std::vector<LogRow>& lines);
    void endCell(const QString& thread, const CellEnd& end);
    void showCompletion(const CodeCompletion& completion);

Q_SIGNALS:
    void modeRequested(); // asks to show the settings of the mode
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
    void viewRequested(); // by the menu: the panel shall be seen

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void askFor(const PanelParts& parts);
    void follow(const PanelParts& parts);

    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
