#pragma once

#include "core/query/completion.h"
#include "ui/bridge/rows/query_rows.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace sg::ui {

class EmptyState;
struct PanelParts;
class QueryEdit;
class SearchModel;
class SegmentedControl;
class Selection;
class Strip;

// Finds runs, checkpoints, tasks and log lines of all threads by a query, or asks the database with read-only
// SQL. Choosing a row shows its place in the history.
class SearchPanel : public QWidget {
    Q_OBJECT
public:
    explicit SearchPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit SearchPanel(QWidget* parent = nullptr); // shows what it is given

    void clear();
    void setVocabulary(query::Vocabulary vocabulary);
    void setFound(const SearchRows& rows);
    void setAnswer(const SqlRows& rows);
    void ask(const QString& query); // as if typed
    void askAgain(); // repeats the last question after a write; at once if the panel is visible
    [[nodiscard]] bool hasAsked() const { return !m_asked.isEmpty(); }

Q_SIGNALS:
    void searchRequested(const QString& query); // empty ends the search
    void sqlRequested(const QString& sql); // empty ends the question
    void hitChosen(const sg::ui::SearchHit& hit);
    void marksChanged(const std::vector<sg::ui::SearchHit>& marks); // the places of the results
    void foundInThread(const QStringList& checkpoints); // of the selected one

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void followMarks(const Selection& selection);
    void buildBar();
    [[nodiscard]] bool isSql() const;
    void changed(const QString& text);
    void run();
    void choose(int row);
    void showEmpty();
    void showProblem(const UserError& error, int at);
    void showTable(const QString& count);
    void refill(const std::vector<SearchHit>& hits); // keeps the chosen row and the scroll position

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
    QString m_found; // the query of the shown hits
    std::vector<SearchHit> m_marks; // the places of what was found
    bool m_isStale = false; // something was written since
};

} // namespace sg::ui
