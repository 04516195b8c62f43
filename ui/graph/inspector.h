#pragma once

#include "ui/graph/node_inspector.h"

#include <QWidget>

class QScrollArea;
class QStackedLayout;

namespace sg::ui {

class GraphDocument;
class GraphForm;
class NodeForm;

// What is selected, and its fields: a node with how it went, else the graph itself.
class Inspector : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(GraphDocument& document, QWidget* parent = nullptr);
    void showNode(const NodeReport& report);
    void showGraph();
    void showMode(); // the graph's, scrolled to
    void focusName();

Q_SIGNALS:
    void renamed(const QString& node); // the shown one, to this

private:
    NodeForm* m_form;
    NodeInspector* m_node;
    GraphForm* m_graph;
    QScrollArea* m_graphPage = nullptr;
    QScrollArea* m_nodePage = nullptr;
    QStackedLayout* m_stack;
};

} // namespace sg::ui
