#pragma once

#include "ui/sessions/meter_marks.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

class MetersView;
class SegmentedControl;

// The meters of a session, how far back they reach, and the tasks of its thread behind them.
class MetersPage : public QWidget {
    Q_OBJECT
public:
    explicit MetersPage(QWidget* parent = nullptr);

    // `hasTasks`: the thread's tasks ran in it.
    void show(const SessionRow& session, const SampleHistory& history,
              const std::vector<SessionNoteRow>& notes, bool hasTasks);
    void setTasks(const std::vector<TaskRow>& tasks); // the newest are shown
    void changeTasks(const std::vector<TaskRow>& changed); // by their ids; new ones are added
    void setMoment(double timeMs);

Q_SIGNALS:
    void momentRequested(double timeMs);

private:
    void keepNewest(); // in their order of start
    void showTasks();

    SegmentedControl* m_span;
    MetersView* m_meters;
    std::vector<TaskRow> m_tasks;
    bool m_hasTasks = false;
};

} // namespace sg::ui
