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

// Shows the selection and its fields: a node with its last task, or an edge, or else the graph itself.
class Inspector : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(GraphDocument& document, QWidget* parent = nullptr);
    void showNode(const NodeReport& report);
    void showEdge(const DrawnEdge& edge); // from the document's drawing
    void showGraph();
    void showMode(); // shows the graph, scrolled to its execution mode
    void showPart(const std::string& pointer); // shows a JSON pointer's place if a form has it
    void focusName();
    void setFailureVerbs(NodeInspector::FailureVerbs verbs); // what can be done about a failure
    void setCode(QWidget* editor); // shown below the fields of a node, unless they show a failure
    void setCodeVisible(bool visible);

Q_SIGNALS:
    void renamed(const QString& node); // the new name of the shown node

private:
    void updateCode();

    NodeForm* m_form;
    NodeInspector* m_node;
    GraphForm* m_graph;
    EdgeForm* m_edge;
    QScrollArea* m_edgePage = nullptr;
    QScrollArea* m_graphPage = nullptr;
    QScrollArea* m_nodeFields = nullptr;
    QSplitter* m_nodePage = nullptr;
    QWidget* m_code = nullptr;
    bool m_hasCode = false;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
