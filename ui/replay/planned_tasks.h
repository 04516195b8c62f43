#pragma once

#include "ui/replay/replay_plan.h"

#include <QListView>

class QStandardItemModel;

namespace sg::ui {

// What a replay runs: the next superstep's tasks, then those that the compared branch ran after it.
class PlannedTasks : public QListView {
    Q_OBJECT
public:
    explicit PlannedTasks(QWidget* parent = nullptr);

    // `isCertain`: no value is changed that could lead elsewhere.
    void setPlan(const ReplayPlan& plan, bool isCertain = true);

private:
    void addHeading(const QString& words);
    void addTask(const PlannedTask& task, bool isReused);

    QStandardItemModel* m_model;
};

} // namespace sg::ui
