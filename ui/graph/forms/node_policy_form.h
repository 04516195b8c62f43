#pragma once

#include "core/graph/node_kinds.h"

#include <QWidget>

namespace sg::ui {

class BoundRows;
class FoldButton;
class GraphDocument;

// The policies of a node's runs: timeout, retries, what runs after the final failure, whether its result is
// cached, its priority, and whatever else the file says of it as JSON. Folded until it is opened or one of
// these is set.
class NodePolicyForm : public QWidget {
    Q_OBJECT
public:
    explicit NodePolicyForm(GraphDocument& document, QWidget* parent = nullptr);
    void setNode(const NodeId& node);

private:
    void addSettings(graph::SettingPlace place); // common settings and those of single kinds
    void addRetry();
    void addRetryRules();
    void addRetryDetails();
    void addHandler();
    void addResult();
    void addOrder();
    void addOthers();
    void fill();
    [[nodiscard]] const graph::Node& node() const; // an empty node if there is none
    [[nodiscard]] graph::RetryPolicy rule() const; // the shown retry policy
    void showRule(int rule);

    GraphDocument& m_document;
    NodeId m_node;
    std::size_t m_rule = 0; // index in the node's retry policies, of which the first match counts
    BoundRows* m_rows;
    FoldButton* m_fold;
};

} // namespace sg::ui
