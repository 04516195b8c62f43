#pragma once

#include "ui/bridge/rows/pool_rows.h"

#include <QWidget>

class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace sg::ui {

class AttemptBar;
class DeadModel;
class ElidedLabel;
class StoryModel;
class WorkerModel;

// The lower half of the page: who works, what happened to the chosen job, and what was given up.
class PoolsSections : public QWidget {
    Q_OBJECT
public:
    explicit PoolsSections(QWidget* parent = nullptr);

    void show(const PoolsLook& look);
    void setStory(const JobStoryRow& story);
    // The job whose story is shown; empty: none.
    [[nodiscard]] const QString& role() const { return m_role; }
    // Tells whether more can have happened to that job since its story was read: it has not ended, or it is
    // no longer a dead letter.
    [[nodiscard]] bool mayGoOn() const;
    [[nodiscard]] const QString& job() const { return m_job; }

Q_SIGNALS:
    void storyRequested(const QString& role, const QString& job);
    void requeueRequested(const QString& role, const QStringList& jobs);
    void discardRequested(const QString& role, const QStringList& jobs); // after a question

private:
    QWidget* makeWorkers();
    QWidget* makeStory();
    QWidget* makeDead();
    void choose(const QString& role, const QString& job);
    void requeue(bool alike);
    void askToDiscard();
    void showVerbs();
    [[nodiscard]] std::vector<DeadLetterRow> chosen() const;
    [[nodiscard]] std::vector<DeadLetterRow> alike() const; // of the same role, given up for the same reason

    WorkerModel* m_workers;
    StoryModel* m_story;
    DeadModel* m_dead;
    ElidedLabel* m_workersHead = nullptr;
    ElidedLabel* m_storyHead = nullptr;
    ElidedLabel* m_deadHead = nullptr;
    QTableView* m_workersTable = nullptr;
    QTableView* m_deadTable = nullptr;
    AttemptBar* m_tries = nullptr;
    QPlainTextEdit* m_payload = nullptr;
    QPushButton* m_requeue = nullptr;
    QPushButton* m_requeueAlike = nullptr;
    QPushButton* m_discard = nullptr;
    QString m_role;
    QString m_job;
};

// The look of the tables on this page.
void dressTable(QTableView& table, const QString& name);

} // namespace sg::ui
