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

// Shows and edits a connection: an edge, a waiting edge with all its starts, or the branch of an outcome.
class EdgeForm : public QWidget {
    Q_OBJECT
public:
    explicit EdgeForm(GraphDocument& document, QWidget* parent = nullptr);
    void setEdge(const DrawnEdge& edge); // from the document's drawing

private:
    void fill();
    void showBranch(bool shown);
    [[nodiscard]] const graph::Edge* edge() const; // null for a branch, or if the edge is gone

    GraphDocument& m_document;
    DrawnEdge m_edge;
    QLabel* m_title;
    QLabel* m_kind;
    BoundRows* m_rows;
    QWidget* m_starts = nullptr; // starts of a waiting edge
    NodeChooser* m_target = nullptr;
    BranchForm* m_branch = nullptr;
    QVBoxLayout* m_column;
};

} // namespace sg::ui
