#pragma once

#include "core/query/completion.h"
#include "ui/bridge/rows/query_rows.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace sg::ui {

class EmptyState;
class QueryEdit;
class SearchModel;
class SegmentedControl;
class Strip;

// Finds runs, checkpoints, tasks and log lines of all threads by one line, or asks the database in SQL, which
// cannot change it. Choosing a row leads to its place in the history.
class SearchPanel : public QWidget {
    Q_OBJECT
public:
    explicit SearchPanel(QWidget* parent = nullptr);

    void clear();
    void setVocabulary(query::Vocabulary vocabulary);
    void setFound(const SearchRows& rows);
    void setAnswer(const SqlRows& rows);
    void ask(const QString& query); // as if typed
    void focusLine();
    void askAgain(); // what was asked before: something was written; at once where somebody looks
    [[nodiscard]] bool hasAsked() const { return !m_asked.isEmpty(); }

Q_SIGNALS:
    void searchRequested(const QString& query); // empty: nothing is asked any more
    void sqlRequested(const QString& sql); // the same
    void hitChosen(const sg::ui::SearchHit& hit);
    void marksChanged(const std::vector<sg::ui::SearchHit>& marks); // places of what was found

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildBar();
    [[nodiscard]] bool isSql() const;
    void changed(const QString& text);
    void run();
    void choose(int row);
    void showEmpty();
    void showProblem(const UserError& error, int at);
    void showTable(const QString& count);
    void refill(const std::vector<SearchHit>& hits); // what was chosen and what stands on top stay in place

    Strip* m_bar;
    SegmentedControl* m_way;
    QueryEdit* m_line;
    QLabel* m_count;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    EmptyState* m_problem;
    QTableView* m_table;
    SearchModel* m_model;
    QString m_asked;
    QString m_found; // the query whose hits are shown
    bool m_isStale = false; // something was written since
};

} // namespace sg::ui
