#pragma once

#include "ui/bridge/rows.h"

#include <QWidget>

#include <vector>

class QAction;

namespace sg::ui {

// The thread's checkpoints as lanes of branches under one ruler. Selecting a checkpoint only shows it:
// nothing runs.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(QWidget* parent = nullptr);

    void
    addVerb(QAction* action); // what can be done from the selected checkpoint, as a button of the title row
    void clear(const QString& thread = {}); // whose checkpoints follow, if any
    void setHistory(const HistoryRows& rows);
    void addCheckpoints(const std::vector<CheckpointRow>& added); // live; of the shown thread
    void changeTasks(const std::vector<TaskRow>& changed);
    void setCurrent(const QString& checkpoint); // empty: the head
    [[nodiscard]] QString current() const;
    [[nodiscard]] QString head() const; // newest checkpoint, empty: none
    void step(int by); // previous −1, next +1 on the current branch

Q_SIGNALS:
    void checkpointSelected(const QString& checkpoint); // by the user

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
