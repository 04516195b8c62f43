#include "core/base/json.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_marks.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

// Where a problem of the whole graph stands in the one that is shown, and the way there.
namespace sg::ui {
namespace {

// "/edges/3/1" in "/edges/" → 3
std::optional<std::size_t> indexIn(std::string_view pointer, std::string_view list)
{
    if (!pointer.starts_with(list))
        return std::nullopt;
    pointer.remove_prefix(list.size());
    std::size_t index = 0;
    const auto [end, failed] = std::from_chars(pointer.data(), pointer.data() + pointer.size(), index);
    return failed == std::errc() && end != pointer.data() ? std::optional(index) : std::nullopt;
}

} // namespace

graph::Problem CanvasPanel::shownForm(const graph::Problem& problem) const
{
    graph::Problem shown = problem;
    const graph::Graph whole = m_document.path().empty() ? graph::Graph() : m_document.whole();
    const graph::Graph* around = &whole;
    for (const NodeId& id : m_document.path()) {
        const auto node = std::ranges::find(around->nodes, id, &graph::Node::name);
        if (node == around->nodes.end() || !node->subgraph)
            return {};
        const std::string prefix = "/nodes/" + std::to_string(node - around->nodes.begin()) + "/graph";
        if (!shown.pointer.starts_with(prefix + "/"))
            return {};
        shown.pointer.erase(0, prefix.size());
        around = node->subgraph.get();
    }
    return shown;
}

void CanvasPanel::select(const graph::Problem& problem)
{
    graph::Graph inner = m_document.whole();
    graph::Problem left = problem;
    std::vector<NodeId> path;
    for (NodeId node = nodeOf(left, inner); !node.empty(); node = nodeOf(left, inner)) {
        const std::size_t at = left.pointer.find("/graph/");
        const graph::Node* holder = inner.findNode(node);
        if (at == std::string::npos || !holder || !holder->subgraph
            || left.pointer.find('/', std::string_view("/nodes/").size()) != at)
            break;
        path.push_back(node);
        left.pointer.erase(0, at + std::string_view("/graph").size());
        inner = graph::Graph(*holder->subgraph);
    }
    m_document.goTo(path);
    selectPart(left);
}

bool CanvasPanel::selectEdge(bool ofBranch, std::size_t part)
{
    const auto& drawn = m_document.drawing().edges;
    const auto found = std::ranges::find_if(
        drawn, [&](const DrawnEdge& each) { return each.ofBranch == ofBranch && each.part == part; });
    if (found == drawn.end())
        return false;
    m_scene.setCurrentEdge(static_cast<std::size_t>(found - drawn.begin()));
    m_view->reveal(m_document.drawing().nodes[found->from].id);
    return true;
}

// A node or an edge; what neither of them holds stands among the graph's own settings.
void CanvasPanel::selectPart(const graph::Problem& problem)
{
    const std::optional<std::size_t> edge = indexIn(problem.pointer, "/edges/");
    if (edge && selectEdge(false, *edge))
        return;
    NodeId node = nodeOf(problem, m_document.graph());
    const auto& edges = m_document.graph().edges;
    if (!m_document.graph().findNode(node) && edge && *edge < edges.size())
        node = edges[*edge].to; // from a node that is not there
    if (m_document.graph().findNode(node)) {
        m_selection.setNode(QString::fromStdString(node.value));
        m_view->reveal(node);
        return;
    }
    if (const auto branch = indexIn(problem.pointer, "/branches/"); branch && selectEdge(true, *branch))
        return; // of the start
    m_selection.setNode({});
    m_scene.setCurrentNode({});
    m_scene.setCurrentEdge(kNoEdge);
    m_inspector->showPart(problem.pointer);
}

} // namespace sg::ui
