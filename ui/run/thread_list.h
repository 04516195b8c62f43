#pragma once

#include "ui/bridge/rows.h"

#include <QWidget>

#include <vector>

class QListView;
class QStackedLayout;

namespace sg::ui {

class EmptyState;
class ThreadModel;

// The project's threads with how they stand; choosing one shows it everywhere.
class ThreadList : public QWidget {
    Q_OBJECT
public:
    explicit ThreadList(QWidget* parent = nullptr);

    void setThreads(const std::vector<ThreadRow>& rows);
    void setStatus(const QString& thread, const QString& status);
    void setCurrent(const QString& thread);
    void setCanRun(bool canRun);
    [[nodiscard]] QStringList threads() const;
    [[nodiscard]] QString status(const QString& thread) const;

Q_SIGNALS:
    void threadSelected(const QString& thread);
    void runRequested(); // from the empty state

private:
    ThreadModel* m_model;
    QListView* m_view;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
