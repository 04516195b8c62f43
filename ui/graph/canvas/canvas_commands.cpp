#include "ui/graph/canvas/canvas_commands.h"

#include "core/graph/command_ends.h"
#include "ui/graph/canvas/canvas_notes.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/edits/graph_clipboard.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace sg::ui {
namespace {

constexpr QPointF kAside(2 * kCanvasGrid, 80); // from the original to its copy
constexpr const char* kClipboardMime = "application/x-sandglass-graph";

void removeEdgeOf(const EditedCanvas& canvas, std::size_t edge)
{
    const DrawnEdge drawn = canvas.document.drawing().edges[edge];
    const NodeId from = canvas.document.drawing().nodes[drawn.from].id;
    canvas.document.editPlaced(QObject::tr("Delete edge"), [&](graph::Graph& graph) {
        if (drawn.open)
            removeBranch(graph, drawn.part);
        else if (drawn.ofBranch)
            removeTarget(graph, drawn.part, drawn.target);
        else if (drawn.ofCommand)
            graph::removeCommandEnd(graph.nodes[drawn.part], drawn.target);
        else
            removeEdge(graph, drawn.part, from);
    });
}

} // namespace

void selectAllNodes(const EditedCanvas& canvas)
{
    std::vector<NodeId> all;
    for (const NodeItem* node : canvas.scene.nodes())
        all.push_back(node->node().id);
    canvas.scene.setSelectedNodes(all);
}

void removeSelected(const EditedCanvas& canvas)
{
    if (canvas.scene.currentNote() != kNoNote)
        return removeCurrentNote(canvas);
    if (const std::size_t edge = canvas.scene.currentEdge(); edge != kNoEdge)
        return removeEdgeOf(canvas, edge);
    const std::vector<NodeId> nodes = canvas.scene.selectedNodes();
    const QString title = nodes.size() == 1
        ? QObject::tr("Delete %1").arg(QString::fromStdString(nodes.front().value))
        : QObject::tr("Delete nodes");
    canvas.document.editPlaced(title, [&](graph::Graph& graph) { removeNodes(graph, nodes); });
}

void copySelected(const EditedCanvas& canvas)
{
    const std::string text = textOfNodes(canvas.document.graph(), canvas.scene.selectedNodes());
    if (text.empty())
        return;
    auto* data = new QMimeData;
    data->setText(QString::fromStdString(text));
    data->setData(QString::fromLatin1(kClipboardMime), QByteArray::fromStdString(text));
    QGuiApplication::clipboard()->setMimeData(data);
}

QString pasteCopied(const EditedCanvas& canvas)
{
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    const std::string text = data && data->hasText() ? data->text().toStdString() : std::string();
    std::vector<NodeId> pasted;
    canvas.document.editPlaced(QObject::tr("Paste"), [&](graph::Graph& graph) {
        pasted = pasteNodes(graph, text, { kAside.x(), kAside.y() });
    });
    if (pasted.empty())
        return QObject::tr("The clipboard holds no nodes.");
    canvas.scene.setSelectedNodes(pasted);
    canvas.view.reveal(pasted.back());
    return {};
}

void duplicateSelected(const EditedCanvas& canvas)
{
    std::vector<NodeId> copies;
    canvas.document.editPlaced(QObject::tr("Duplicate"), [&](graph::Graph& graph) {
        copies = duplicateNodes(graph, canvas.scene.selectedNodes(), { kAside.x(), kAside.y() });
    });
    if (!copies.empty())
        canvas.scene.setSelectedNodes(copies);
}

bool canLead(const EditedCanvas& canvas)
{
    const NodeId current = canvas.scene.currentNode();
    return !current.empty() && current.value != graph::kEnd;
}

void addBranchToCurrent(const EditedCanvas& canvas)
{
    canvas.document.editPlaced(
        QObject::tr("Add branch"),
        [from = canvas.scene.currentNode()](graph::Graph& graph) { addBranch(graph, from); });
}

void toggleBreakpointOfCurrent(const EditedCanvas& canvas, bool before)
{
    const NodeId node = canvas.scene.currentNode();
    canvas.document.edit(before ? QObject::tr("Pause before") : QObject::tr("Pause after"),
                         [&](graph::Graph& graph) {
                             toggleBreakpoint(graph, node, before ? Breakpoint::Before : Breakpoint::After);
                         });
}

void goToNextEdge(const EditedCanvas& canvas, const NodeId& of)
{
    const GraphDrawing& drawing = canvas.document.drawing();
    const auto& edges = drawing.edges;
    const std::size_t node = drawing.findNode(of);
    const bool all = node >= drawing.nodes.size();
    const std::size_t current = canvas.scene.currentEdge();
    const std::size_t first = current == kNoEdge ? 0 : current + 1;
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const std::size_t i = (first + k) % edges.size();
        if (!all && edges[i].from != node && edges[i].to != node)
            continue;
        canvas.scene.setCurrentEdge(i);
        return;
    }
}

} // namespace sg::ui
