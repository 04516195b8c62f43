#pragma once

#include "core/base/ids.h"

#include <QComboBox>

namespace sg::ui {

class GraphDocument;

// Chooses one node of the document's graph, or its end. The list is filled when it is opened, so that a form
// of a graph with thousands of nodes is filled at once.
class NodeChooser : public QComboBox {
    Q_OBJECT
public:
    explicit NodeChooser(const GraphDocument& document, QWidget* parent = nullptr);
    void setNode(const NodeId& node);
    void showPopup() override;

Q_SIGNALS:
    void nodeChosen(const QString& node);

private:
    const GraphDocument& m_document;
};

QString nodeTitle(const NodeId& node); // "End" for the end

} // namespace sg::ui
