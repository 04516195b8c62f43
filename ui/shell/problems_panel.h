#pragma once

#include "core/graph/graph_file.h"

#include <QWidget>

#include <vector>

class QStackedLayout;
class QTreeWidget;

namespace sg::ui {

// What is wrong with the graph file, errors first.
class ProblemsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(QWidget* parent = nullptr);
    void setProblems(const std::vector<graph::Problem>& problems, const QString& fileName);
    void step(int by); // to the next one, round and round

Q_SIGNALS:
    void activated(const sg::graph::Problem& problem);

private:
    std::vector<graph::Problem> m_problems;
    QTreeWidget* m_list;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
