#pragma once

#include "core/graph/graph.h"

#include <QWidget>

#include <functional>
#include <vector>

class QLineEdit;

namespace sg::ui {

class BoundRows;
class GraphDocument;
class NodePolicyForm;

// The fields of one node: its name, the settings of its kind, which channels it may see, where it pauses, the
// branches after it, and its policies. Typing makes a step at once; only a name waits for Enter or the loss
// of the focus.
class NodeForm : public QWidget {
    Q_OBJECT
public:
    explicit NodeForm(GraphDocument& document, QWidget* parent = nullptr);
    void setNode(const NodeId& node);
    void focusName();

Q_SIGNALS:
    void renamed(const QString& node); // the new name of the shown node

private:
    void build(const graph::Node& node);
    void addKindField(const graph::Node& node);
    void addSettings(const graph::Node& node);
    void addCommonFields();
    void addPauseField(bool before);
    void addBranchFields(std::size_t branch);
    void fill();
    void addNames(const QString& title, std::optional<std::vector<std::string>> graph::Node::*names);
    void checkName(const QString& name);
    void takeName();
    [[nodiscard]] std::string shapeOf(const graph::Node& node) const;

    GraphDocument& m_document;
    NodeId m_node;
    std::string m_shape; // of the present fields; another one needs new widgets
    BoundRows* m_rows = nullptr;
    QWidget* m_branches = nullptr;
    NodePolicyForm* m_policies;
    QLineEdit* m_name = nullptr;
    std::vector<std::function<void(const graph::Node&)>> m_fill;
};

} // namespace sg::ui
