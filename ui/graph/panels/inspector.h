#pragma once

#include "ui/graph/layout/graph_drawing.h"
#include "ui/graph/panels/node_inspector.h"

#include <QWidget>

#include <string>

class QScrollArea;
class QSplitter;
class QStackedLayout;

namespace sg::ui {

class EdgeForm;
class GraphDocument;
class GraphForm;
class NodeForm;

// What is selected, and its fields: a node with how it went, an edge, else the graph itself.
class Inspector : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(GraphDocument& document, QWidget* parent = nullptr);
    void showNode(const NodeReport& report);
    void showEdge(const DrawnEdge& edge); // of the document's drawing
    void showGraph();
    void showMode(); // the graph's, scrolled to
    void showPart(const std::string& pointer); // of the graph's file, where a form of the graph has it
    void focusName();
    void setCode(QWidget* editor); // below the fields of a node
    void setCodeVisible(bool visible);

Q_SIGNALS:
    void renamed(const QString& node); // the shown one, to this

private:
    NodeForm* m_form;
    NodeInspector* m_node;
    GraphForm* m_graph;
    EdgeForm* m_edge;
    QScrollArea* m_edgePage = nullptr;
    QScrollArea* m_graphPage = nullptr;
    QScrollArea* m_nodeFields = nullptr;
    QSplitter* m_nodePage = nullptr;
    QWidget* m_code = nullptr;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
