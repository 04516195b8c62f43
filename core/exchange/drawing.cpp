#include "core/exchange/drawing.h"

#include "core/graph/command_ends.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <string_view>

namespace sg::exchange {
namespace {

using graph::Graph;
using graph::Position;

constexpr double kColumn = 260;
constexpr double kRow = 100;
constexpr double kBarRoom = 44; // between a waiting edge's bar and its node

bool isPlace(const Position& position)
{
    return std::isfinite(position.x) && std::isfinite(position.y) && std::abs(position.x) < 1e7
        && std::abs(position.y) < 1e7;
}

// Returns each node's distance from the start along edges and branches; 0 for unreachable nodes.
std::map<std::string, int> depths(const Graph& graph)
{
    std::map<std::string, std::vector<std::string>> next;
    for (const graph::Edge& edge : graph.edges)
        for (const NodeId& from : edge.from)
            next[from.value].push_back(edge.to.value);
    for (const graph::Branch& branch : graph.branches)
        if (branch.targets)
            for (const auto& [label, to] : *branch.targets)
                next[branch.from.value].push_back(to.value);
    for (const graph::Node& node : graph.nodes)
        for (const graph::CommandEnd& end : graph::commandEnds(graph, node))
            next[node.name.value].push_back(end.to.value);
    std::map<std::string, int> depth{ { graph::kStart, -1 } };
    std::deque<std::string> open{ graph::kStart };
    while (!open.empty()) {
        const std::string at = std::move(open.front());
        open.pop_front();
        for (const std::string& to : next[at])
            if (depth.emplace(to, depth[at] + 1).second)
                open.push_back(to);
    }
    return depth;
}

class Placing {
public:
    explicit Placing(const Graph& graph)
        : m_graph(graph)
    {
        addNodes();
        addEnds();
        addLines();
    }
    Drawing take() { return std::move(m_drawing); }

private:
    void addNodes()
    {
        m_drawing.cards.push_back({ .name = "start" });
        m_index.emplace(graph::kStart, 0);
        std::set<std::string_view> names;
        for (const graph::Node& node : m_graph.nodes)
            names.insert(node.name.value);
        std::map<std::string, Position> known;
        for (const auto& [node, position] : m_graph.layout)
            if (names.contains(node.value) && isPlace(position))
                known.emplace(node.value, position);
        double bottom = -kRow;
        double left = 0;
        for (const auto& [name, position] : known) {
            bottom = std::max(bottom, position.y);
            left = std::min(left, position.x);
        }
        const auto depth = depths(m_graph);
        std::map<int, int> rows;
        for (const graph::Node& node : m_graph.nodes) {
            Position place;
            if (const auto found = known.find(node.name.value); found != known.end()) {
                place = found->second;
            } else {
                const auto at = depth.find(node.name.value);
                const int column = at == depth.end() ? 0 : at->second;
                place = { left + column * kColumn, bottom + kRow * ++rows[column] };
            }
            if (m_index.emplace(node.name.value, m_drawing.cards.size()).second)
                m_drawing.cards.push_back({ node.name.value, node.kind.empty() ? "?" : node.kind, place });
        }
        m_index.emplace(graph::kEnd, m_drawing.cards.size());
        m_drawing.cards.push_back({ .name = "end" });
    }

    // Start and end are placed beside the outermost cards, at the height of their neighbours.
    void addEnds()
    {
        double left = 0;
        double right = 0;
        for (std::size_t i = 1; i + 1 < m_drawing.cards.size(); ++i) {
            const double x = m_drawing.cards[i].centre.x;
            left = i == 1 ? x : std::min(left, x);
            right = i == 1 ? x : std::max(right, x);
        }
        m_drawing.cards.front().centre = { left - 180, meanHeight(graph::kStart) };
        m_drawing.cards.back().centre = { right + 180, meanHeight(graph::kEnd) };
    }

    double meanHeight(const std::string& end) const
    {
        std::set<std::string> touched;
        for (const graph::Edge& edge : m_graph.edges)
            for (const NodeId& from : edge.from) {
                if (from.value == end)
                    touched.insert(edge.to.value);
                else if (edge.to.value == end)
                    touched.insert(from.value);
            }
        for (const graph::Branch& branch : m_graph.branches)
            for (const auto& [label, to] :
                 branch.targets.value_or(std::vector<std::pair<std::string, NodeId>>())) {
                if (branch.from.value == end)
                    touched.insert(to.value);
                else if (to.value == end)
                    touched.insert(branch.from.value);
            }
        double sum = 0;
        int count = 0;
        for (const std::string& name : touched)
            if (const auto at = m_index.find(name);
                at != m_index.end() && name != graph::kStart && name != graph::kEnd) {
                sum += m_drawing.cards[at->second].centre.y;
                ++count;
            }
        return count == 0 ? 0 : sum / count;
    }

    void line(const NodeId& from, const NodeId& to, std::string label, bool dashed)
    {
        const auto start = m_index.find(from.value);
        const auto end = m_index.find(to.value);
        if (start != m_index.end() && end != m_index.end())
            m_drawing.lines.push_back({ start->second, end->second, std::move(label), dashed, false });
    }

    void addLines()
    {
        for (const graph::Edge& edge : m_graph.edges) {
            if (edge.waiting || edge.from.size() != 1)
                waitingLines(edge);
            else
                line(edge.from.front(), edge.to, {}, false);
        }
        for (const graph::Branch& branch : m_graph.branches) {
            if (!branch.targets) {
                if (const auto from = m_index.find(branch.from.value); from != m_index.end())
                    m_drawing.anywhere.push_back(from->second);
                continue;
            }
            for (const auto& [label, to] : *branch.targets)
                line(branch.from, to, label == to.value ? "" : label, true);
        }
        for (const graph::Node& node : m_graph.nodes)
            for (const graph::CommandEnd& end : graph::commandEnds(m_graph, node))
                line(node.name, end.to, {}, true);
        m_drawing.lineBars.resize(m_drawing.lines.size());
    }

    void waitingLines(const graph::Edge& edge)
    {
        const auto to = m_index.find(edge.to.value);
        if (to == m_index.end())
            return;
        const DrawnCard& card = m_drawing.cards[to->second];
        const double half = (card.kind.empty() ? kEndWidth : kCardWidth) / 2;
        m_drawing.bars.push_back({ { card.centre.x - half - kBarRoom, card.centre.y }, to->second });
        for (const NodeId& from : edge.from)
            if (const auto start = m_index.find(from.value); start != m_index.end()) {
                m_drawing.lineBars.resize(m_drawing.lines.size() + 1);
                m_drawing.lineBars.back() = m_drawing.bars.size() - 1;
                m_drawing.lines.push_back({ start->second, to->second, {}, false, true });
            }
    }

    const Graph& m_graph;
    Drawing m_drawing;
    std::map<std::string, std::size_t, std::less<>> m_index; // node → card
};

} // namespace

Drawing drawingOf(const Graph& graph)
{
    return Placing(graph).take();
}

} // namespace sg::exchange
