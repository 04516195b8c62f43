#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/rows/rows.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace sg::ui {

// Lists the failure of the shown run, then the problems of the graph file, errors first. A click on its fix,
// or Ctrl+., mends the current one.
class ProblemsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(QWidget* parent = nullptr);
    // `fixes` says for each problem, in a few words, what would mend it; empty: nothing does plainly.
    void setProblems(const std::vector<graph::Problem>& problems, const QString& fileName,
                     const QStringList& fixes);
    // The task that failed at the viewed checkpoint; nothing: none did.
    void setFailure(const std::optional<TaskRow>& failed);
    void step(int by); // to the next one, round and round

Q_SIGNALS:
    void activated(const sg::graph::Problem& problem);
    void fixRequested(const sg::graph::Problem& problem);
    void failureActivated(const QString& node);
    void failedLineRequested(const QString& node, const QString& file, int line);

private:
    void fill();
    void addFailure();
    void addProblem(const graph::Problem& problem, const QString& fix);
    void requestFix(const QTreeWidgetItem* row);
    [[nodiscard]] bool isFailure(const QTreeWidgetItem* row) const;
    void activate(const QTreeWidgetItem* row);
    [[nodiscard]] int indexOf(const QTreeWidgetItem* row) const; // -1: none

    std::vector<graph::Problem> m_problems;
    QStringList m_fixes;
    QString m_fileName; // of the graph
    std::optional<TaskRow> m_failed; // it has the first row
    QString m_failedFile; // of the project's own call that failed; empty: none is known
    int m_failedLine = 0;
    int m_lost = -1; // where the current problem stood before others took its place
    QTreeWidget* m_list;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
