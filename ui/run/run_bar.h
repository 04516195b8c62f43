#pragma once

#include "ui/bridge/rows/input_rows.h"

#include <QIcon>
#include <QStringList>
#include <QWidget>

class QAction;
class QComboBox;
class QMenu;
class QToolButton;

namespace sg::ui {

class ChooserButton;
class InputEditor;

// Starts and stops runs: project, thread by name, Run, Pause, Stop, Step, Resume, input, mode. It decides
// nothing: it asks by signals. While the thread is paused, Run reads Continue and goes on with it.
class RunBar : public QWidget {
    Q_OBJECT
public:
    explicit RunBar(QWidget* parent = nullptr);

    void setProject(const QString& name); // empty if none is open
    void setMode(const QString& mode);
    void setThreads(const QStringList& threads); // keeps the typed text
    void setThread(const QString& thread);
    [[nodiscard]] QString thread() const; // as typed, trimmed
    void setInput(const QString& json);
    [[nodiscard]] QString input() const;
    void setInputFields(const std::vector<InputFieldRow>& fields); // that Run asks for
    void setLastInputs(const std::vector<LastInputRow>& inputs); // of the shown thread
    void setRunning(bool running); // on the shown thread
    void setResumable(bool resumable); // the shown thread stands before steps that did not run
    void setPaused(const QString& before); // nodes that would run next; empty: it is not paused
    void setBlocked(const QString& reason); // why nothing can be run; empty: it can
    void runFirst(); // of a project without threads: on one named main, where none is typed

    [[nodiscard]] QAction* runAction() const { return m_run; }
    [[nodiscard]] QAction* resumeAction() const { return m_resume; }
    [[nodiscard]] QAction* pauseAction() const { return m_pause; }
    [[nodiscard]] QAction* stepAction() const { return m_step; }
    [[nodiscard]] QAction* stopAction() const { return m_stop; }
    [[nodiscard]] QAction* inputAction() const { return m_inputAction; }
    void setProjectMenu(QMenu* menu);
    void setEditActions(QAction* undo, QAction* redo); // shown as buttons before the mode; called once

Q_SIGNALS:
    void runRequested(const QString& thread, const QString& inputJson);
    void resumeRequested(const QString& thread); // from its last checkpoint
    void stepRequested(const QString& thread); // the same, by one superstep
    void pauseRequested(const QString& thread);
    void stopRequested(const QString& thread); // also of one that is paused
    void threadChosen(const QString& thread); // an existing one, or a new name
    void modeRequested(); // the mode's own panel
    void blockedChanged(const QString& reason); // see setBlocked()

private:
    void createActions();
    QWidget* separator();
    QToolButton* buttonFor(QAction* action, const QString& text);
    void ask();
    void popUpInput();
    void run();
    [[nodiscard]] QString whyNotRun() const; // empty if it can run
    void updateActions();

    ChooserButton* m_project;
    QComboBox* m_thread;
    ChooserButton* m_mode;
    InputEditor* m_input;
    QAction* m_run = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_step = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_inputAction = nullptr;
    QToolButton* m_runButton = nullptr;
    QToolButton* m_resumeButton = nullptr;
    QToolButton* m_inputButton = nullptr;
    QString m_blocked;
    QString m_paused; // before these nodes
    bool m_isGiven = false; // an input was set from outside: Run does not ask for it
    bool m_open = false;
    bool m_running = false;
    bool m_resumable = false;
};

} // namespace sg::ui
