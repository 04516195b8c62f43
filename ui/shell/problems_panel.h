#pragma once

#include "core/graph/graph_file.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace sg::ui {

// What is wrong with the graph file, errors first. A click on its fix, or Ctrl+., mends the current one.
class ProblemsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(QWidget* parent = nullptr);
    // `fixes`: of each problem, what would mend it in a few words; empty: nothing does plainly.
    void setProblems(const std::vector<graph::Problem>& problems, const QString& fileName,
                     const QStringList& fixes);
    void step(int by); // to the next one, round and round

Q_SIGNALS:
    void activated(const sg::graph::Problem& problem);
    void fixRequested(const sg::graph::Problem& problem);

private:
    void requestFix(const QTreeWidgetItem* row);
    void activate(const QTreeWidgetItem* row);
    [[nodiscard]] int indexOf(const QTreeWidgetItem* row) const; // -1: none

    std::vector<graph::Problem> m_problems;
    QStringList m_fixes;
    int m_lost = -1; // where the current problem stood before others took its place
    QTreeWidget* m_list;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
