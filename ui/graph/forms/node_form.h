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

// The fields of one node: its name, what its kind reads, what it may see, where it pauses, the branches after
// it, and what surrounds its runs. What is typed is a step of the document at once; only a name waits for
// Enter or another field.
class NodeForm : public QWidget {
    Q_OBJECT
public:
    explicit NodeForm(GraphDocument& document, QWidget* parent = nullptr);
    void setNode(const NodeId& node);
    void focusName();

Q_SIGNALS:
    void renamed(const QString& node); // from the shown one

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
    std::string m_shape; // of the fields that are there: rebuilt where another is needed
    BoundRows* m_rows = nullptr;
    QWidget* m_branches = nullptr;
    NodePolicyForm* m_policies;
    QLineEdit* m_name = nullptr;
    std::vector<std::function<void(const graph::Node&)>> m_fill;
};

} // namespace sg::ui
