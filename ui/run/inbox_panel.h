#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QHash>
#include <QSet>
#include <QWidget>

#include <vector>

class QLabel;
class QListView;
class QModelIndex;
class QStackedLayout;
class QStandardItem;
class QStandardItemModel;

namespace sg::ui {

class BulkCard;
class EmptyState;
class InterruptCard;
struct PanelParts;
class Strip;

// The open questions of all threads, with a card that answers the chosen one or ones: Ctrl+A chooses all,
// Ctrl+Shift+A those that ask the same. Choosing one shows its thread; an answer resumes only the task that
// asked.
class InboxPanel : public QWidget {
    Q_OBJECT
public:
    explicit InboxPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit InboxPanel(QWidget* parent = nullptr); // shows what it is given

    void clear();
    void setWaiting(const std::vector<WaitingRow>& rows);
    void setError(const UserError& error); // the questions cannot be read; cleared by setWaiting()
    void setGiven(const QSet<QString>& given); // "thread/interrupt" of answers on their way
    void setNext(const QHash<QString, QStringList>& next); // node → nodes that run after it
    void setLabels(const NoteRows& notes);
    void setCanAnswer(bool canAnswer, const QString& why = {}); // otherwise read-only; `why` is shown
    void focusNext(); // focuses the next open question
    void focusQuestionOf(const QString& thread); // its first one without an answer
    [[nodiscard]] const std::vector<WaitingRow>& waiting() const { return m_rows; }

Q_SIGNALS:
    void threadChosen(const QString& thread);
    void answered(const QString& thread, const QString& interrupt, const QString& answerJson); // for each
    void readAgain(); // reads the questions again
    void countChanged(int asking, int pauses); // questions without an answer, and pauses at breakpoints
    void asked(const sg::ui::WaitingRow& row); // a question that is new
    void givenBack(const QString& thread, int answers); // that could not be passed on

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBar(Strip* bar);
    void fill();
    [[nodiscard]] QStandardItem* itemOf(const WaitingRow& row) const;
    void select(const QSet<QString>& keys); // keys that are not listed are ignored
    void setCurrent(int row);
    void selectSame();
    void showCurrent();
    void showChosen(const std::vector<int>& rows);
    void giveAll(const QStringList& json);
    [[nodiscard]] QString placeOf(const WaitingRow& row) const; // "bob, step 4"
    [[nodiscard]] QString nextOf(const std::vector<int>& rows) const;
    [[nodiscard]] std::vector<int> chosen() const; // selected rows without an answer, in order
    [[nodiscard]] int currentRow() const; // -1 if there is none

    std::vector<WaitingRow> m_rows;
    QSet<QString> m_given;
    QHash<QString, QStringList> m_next;
    QHash<QString, QString> m_labels;
    QStandardItemModel* m_model;
    Strip* m_bar;
    QLabel* m_count;
    QListView* m_view;
    InterruptCard* m_card;
    BulkCard* m_bulk;
    EmptyState* m_empty;
    EmptyState* m_failed;
    QStackedLayout* m_stack;
    bool m_isFilling = false;
};

} // namespace sg::ui
