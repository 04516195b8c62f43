#pragma once

#include "core/graph/graph.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

class BoundRows;
class GraphDocument;
class NodeChooser;

// One branch of the document's graph: what computes its outcome, and where each outcome leads. A label is
// taken by Enter or when the field is left; everything else is a step as it is typed.
class BranchForm : public QWidget {
    Q_OBJECT
public:
    BranchForm(GraphDocument& document, std::size_t branch, QWidget* parent = nullptr);
    [[nodiscard]] std::size_t branch() const { return m_branch; }

private:
    struct Row {
        QLineEdit* label;
        NodeChooser* target;
    };
    void addProgram();
    void fill();
    void buildRows(std::size_t count);
    void addRow(std::size_t index);
    void takeLabel(std::size_t index);
    [[nodiscard]] const graph::Branch* shown() const; // null if the branch is gone
    [[nodiscard]] QString setting(const char* key) const;

    GraphDocument& m_document;
    std::size_t m_branch;
    BoundRows* m_rows;
    QWidget* m_table = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<Row> m_targets;
    QLabel* m_free; // says what holds if no outcomes are listed
    QPushButton* m_add;
    QPushButton* m_any; // removes the list of outcomes
};

} // namespace sg::ui
