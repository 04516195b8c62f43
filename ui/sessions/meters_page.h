#pragma once

#include "ui/sessions/meter_marks.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

class MetersView;
class SegmentedControl;

// The meters of a session, a choice of their time span, and the tasks of its thread.
class MetersPage : public QWidget {
    Q_OBJECT
public:
    explicit MetersPage(QWidget* parent = nullptr);

    // `hasTasks` tells whether the thread's tasks ran in this session.
    void show(const SessionRow& session, const SampleHistory& history,
              const std::vector<SessionNoteRow>& notes, bool hasTasks);
    void setTasks(const std::vector<TaskRow>& tasks); // only the newest are shown
    void changeTasks(const std::vector<TaskRow>& changed); // by id; new tasks are added
    void setMoment(double timeMs);

Q_SIGNALS:
    void momentRequested(double timeMs);

private:
    void keepNewest(); // in order of their start
    void showTasks();

    SegmentedControl* m_span;
    MetersView* m_meters;
    std::vector<TaskRow> m_tasks;
    bool m_hasTasks = false;
};

} // namespace sg::ui
