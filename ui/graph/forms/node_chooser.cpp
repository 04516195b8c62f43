#include "ui/graph/forms/node_chooser.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/widgets/style.h"

#include <QSignalBlocker>

namespace sg::ui {

QString nodeTitle(const NodeId& node)
{
    if (node.value == graph::kStart)
        return NodeChooser::tr("Start");
    return node.value == graph::kEnd ? NodeChooser::tr("End") : QString::fromStdString(node.value);
}

NodeChooser::NodeChooser(const GraphDocument& document, QWidget* parent)
    : QComboBox(parent)
    , m_document(document)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    makeDense(this);
    connect(this, &QComboBox::activated, this, [this] { Q_EMIT nodeChosen(currentData().toString()); });
}

void NodeChooser::setNode(const NodeId& node)
{
    const QString id = QString::fromStdString(node.value);
    if (count() > 0 && currentData().toString() == id)
        return;
    const QSignalBlocker quiet(this);
    clear();
    addItem(nodeTitle(node), id);
}

void NodeChooser::showPopup()
{
    const QString chosen = currentData().toString();
    {
        const QSignalBlocker quiet(this);
        clear();
        for (const graph::Node& node : m_document.graph().nodes)
            addItem(nodeTitle(node.name), QString::fromStdString(node.name.value));
        addItem(nodeTitle(NodeId(graph::kEnd)), QString::fromLatin1(graph::kEnd));
        if (findData(chosen) < 0)
            insertItem(0, chosen, chosen);
        setCurrentIndex(findData(chosen));
    }
    QComboBox::showPopup();
}

} // namespace sg::ui
