#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/subgraph_edits.h"
#include "ui/graph/scene/graph_scene.h"

#include <QAction>

#include <algorithm>

// Commands that enter and leave subgraphs, make them of nodes, and dissolve them.
namespace sg::ui {

void CanvasEditor::createSubgraphActions()
{
    m_actions.inside = make(tr("Open &inside"), "subgraph", QKeySequence(QStringLiteral("Alt+Down")), [this] {
        std::vector<NodeId> path = m_document.path();
        path.push_back(m_scene.currentNode());
        m_document.goTo(path);
    });
    m_actions.outside = make(tr("Back &out"), "up", QKeySequence(QStringLiteral("Alt+Up")), [this] {
        std::vector<NodeId> path = m_document.path();
        const NodeId left = path.back();
        path.pop_back();
        m_document.goTo(path);
        m_scene.setCurrentNode(left);
    });
    m_actions.extract = make(tr("&Group into a subgraph"), nullptr, QKeySequence(QStringLiteral("Ctrl+G")),
                             [this] { extract(); });
    m_actions.dissolve = make(tr("&Dissolve the subgraph"), nullptr,
                              QKeySequence(QStringLiteral("Ctrl+Shift+G")), [this] { dissolve(); });
    connect(&m_document, &GraphDocument::pathChanged, this, &CanvasEditor::updateActions);
}

void CanvasEditor::updateSubgraphActions()
{
    const graph::Node* node = m_document.graph().findNode(m_scene.currentNode());
    const bool isSubgraph = node && node->subgraph;
    m_actions.inside->setEnabled(isSubgraph);
    m_actions.outside->setEnabled(!m_document.path().empty());
    const std::vector<NodeId> selected = m_scene.selectedNodes();
    m_actions.extract->setEnabled(m_document.isEditable()
                                  && std::ranges::any_of(selected, [this](const NodeId& id) {
                                         return m_document.graph().findNode(id) != nullptr;
                                     }));
    m_actions.dissolve->setEnabled(m_document.isEditable() && isSubgraph);
}

void CanvasEditor::extract()
{
    const std::vector<NodeId> nodes = m_scene.selectedNodes();
    if (const std::string fault = extractionFault(m_document.graph(), nodes); !fault.empty()) {
        Q_EMIT hinted(tr("These nodes cannot become a subgraph. %1").arg(QString::fromStdString(fault)));
        return;
    }
    NodeId made;
    m_document.editPlaced(tr("Group into a subgraph"),
                          [&](graph::Graph& graph) { made = extractNodes(graph, nodes); });
    m_scene.setCurrentNode(made);
}

void CanvasEditor::dissolve()
{
    const NodeId id = m_scene.currentNode();
    if (const std::string fault = inliningFault(m_document.graph(), id); !fault.empty()) {
        Q_EMIT hinted(tr("The subgraph cannot be dissolved. %1").arg(QString::fromStdString(fault)));
        return;
    }
    std::vector<NodeId> nodes;
    m_document.editPlaced(tr("Dissolve the subgraph"),
                          [&](graph::Graph& graph) { nodes = inlineSubgraph(graph, id); });
    m_scene.setSelectedNodes(nodes);
}

} // namespace sg::ui
