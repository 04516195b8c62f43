#include "ui/graph/canvas/canvas_subgraphs.h"

#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/subgraph_edits.h"
#include "ui/graph/scene/graph_scene.h"

namespace sg::ui {

bool isSubgraphCurrent(const EditedCanvas& canvas)
{
    const graph::Node* node = canvas.document.graph().findNode(canvas.scene.currentNode());
    return node && node->subgraph;
}

void toggleInside(const EditedCanvas& canvas)
{
    const NodeId current = canvas.scene.currentNode();
    canvas.document.setOpen(current, !canvas.document.isOpen(current));
    canvas.view.reveal(current);
}

void goInside(const EditedCanvas& canvas)
{
    std::vector<NodeId> path = canvas.document.path();
    path.push_back(canvas.scene.currentNode());
    canvas.document.goTo(path);
}

void goOutside(const EditedCanvas& canvas)
{
    std::vector<NodeId> path = canvas.document.path();
    const NodeId left = path.back();
    path.pop_back();
    canvas.document.goTo(path);
    canvas.scene.setCurrentNode(left);
}

QString extractSelected(const EditedCanvas& canvas)
{
    const std::vector<NodeId> nodes = canvas.scene.selectedNodes();
    if (const std::string fault = extractionFault(canvas.document.graph(), nodes); !fault.empty())
        return QObject::tr("These nodes cannot become a subgraph. %1").arg(QString::fromStdString(fault));
    NodeId made;
    canvas.document.editPlaced(QObject::tr("Group into a subgraph"),
                               [&](graph::Graph& graph) { made = extractNodes(graph, nodes); });
    canvas.scene.setCurrentNode(made);
    return {};
}

QString dissolveCurrent(const EditedCanvas& canvas)
{
    const NodeId id = canvas.scene.currentNode();
    if (const std::string fault = inliningFault(canvas.document.graph(), id); !fault.empty())
        return QObject::tr("The subgraph cannot be dissolved. %1").arg(QString::fromStdString(fault));
    std::vector<NodeId> nodes;
    canvas.document.editPlaced(QObject::tr("Dissolve the subgraph"),
                               [&](graph::Graph& graph) { nodes = inlineSubgraph(graph, id); });
    canvas.scene.setSelectedNodes(nodes);
    return {};
}

} // namespace sg::ui
