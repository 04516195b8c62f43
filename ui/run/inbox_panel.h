#pragma once

#include "ui/bridge/history_rows.h"

#include <QHash>
#include <QWidget>

#include <vector>

class QListView;
class QStackedLayout;
class QStandardItemModel;

namespace sg::ui {

class EmptyState;
class InterruptCard;

// Every question that waits, of all threads, with the card to answer the one that is chosen. Choosing one
// shows its thread; answering one resumes that task alone.
class InboxPanel : public QWidget {
    Q_OBJECT
public:
    explicit InboxPanel(QWidget* parent = nullptr);

    void clear();
    void setWaiting(const std::vector<WaitingRow>& rows);
    void setNext(const QHash<QString, QStringList>& next); // by node: what runs after it
    void setLabels(const NoteRows& notes);
    void setCanAnswer(bool canAnswer, const QString& why = {}); // else the questions are only read
    void focusNext(); // the next question, ready to be answered
    [[nodiscard]] const std::vector<WaitingRow>& waiting() const { return m_rows; }

Q_SIGNALS:
    void threadChosen(const QString& thread);
    void answered(const QString& thread, const QString& interrupt, const QString& answerJson);

private:
    void fill();
    void showCurrent();
    [[nodiscard]] int currentRow() const; // −1: none

    std::vector<WaitingRow> m_rows;
    QHash<QString, QStringList> m_next;
    QHash<QString, QString> m_labels;
    QStandardItemModel* m_model;
    QListView* m_view;
    InterruptCard* m_card;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
