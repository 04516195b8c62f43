#pragma once

#include "ui/replay/replay_plan.h"

#include <QListView>

class QStandardItemModel;

namespace sg::ui {

// Lists the tasks of a replay: those of the next superstep, then those that the compared branch ran after it.
class PlannedTasks : public QListView {
    Q_OBJECT
public:
    explicit PlannedTasks(QWidget* parent = nullptr);

    // `isCertain` means that no changed value could lead elsewhere.
    void setPlan(const ReplayPlan& plan, bool isCertain = true);

private:
    void addHeading(const QString& words);
    void addTask(const PlannedTask& task, bool isReused);

    QStandardItemModel* m_model;
};

} // namespace sg::ui
