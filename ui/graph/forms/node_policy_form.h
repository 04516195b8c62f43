#pragma once

#include "core/graph/node_kinds.h"

#include <QWidget>

namespace sg::ui {

class BoundRows;
class FoldButton;
class GraphDocument;

// What surrounds a node's runs: how long one may take, how often it is tried, what runs where it failed for
// good, whether its result is kept, when its turn comes, and whatever else the file says of it as JSON.
// Folded until it is opened or one of these is set.
class NodePolicyForm : public QWidget {
    Q_OBJECT
public:
    explicit NodePolicyForm(GraphDocument& document, QWidget* parent = nullptr);
    void setNode(const NodeId& node);

private:
    void addSettings(graph::SettingPlace place); // of all kinds, and of nodes of every kind
    void addRetry();
    void addRetryRules();
    void addRetryDetails();
    void addHandler();
    void addResult();
    void addOrder();
    void addOthers();
    void fill();
    [[nodiscard]] const graph::Node& node() const; // an empty one where there is none
    [[nodiscard]] graph::RetryPolicy rule() const; // the shown one
    void showRule(int rule);

    GraphDocument& m_document;
    NodeId m_node;
    std::size_t m_rule = 0; // of the node's retry policies: the first that fits an error counts
    BoundRows* m_rows;
    FoldButton* m_fold;
};

} // namespace sg::ui
