#pragma once

#include "ui/graph/layout/graph_drawing.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace sg::ui {

class BoundRows;
class BranchForm;
class GraphDocument;
class NodeChooser;

// What connects nodes: an edge, a waiting edge with all that it waits for, or the branch that an outcome is
// of.
class EdgeForm : public QWidget {
    Q_OBJECT
public:
    explicit EdgeForm(GraphDocument& document, QWidget* parent = nullptr);
    void setEdge(const DrawnEdge& edge); // of the document's drawing

private:
    void fill();
    void showBranch(bool shown);
    [[nodiscard]] const graph::Edge* edge() const; // null: a branch, or gone

    GraphDocument& m_document;
    DrawnEdge m_edge;
    QLabel* m_title;
    QLabel* m_kind;
    BoundRows* m_rows;
    QWidget* m_starts = nullptr; // of a waiting edge
    NodeChooser* m_target = nullptr;
    BranchForm* m_branch = nullptr;
    QVBoxLayout* m_column;
};

} // namespace sg::ui
