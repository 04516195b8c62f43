#include "core/graph/checks/checks.h"

#include <algorithm>
#include <utility>

namespace sg::graph {

namespace {

using Links = std::vector<std::vector<std::size_t>>;

// Returns where each node's edges, branch targets and "ends" lead. A branch that may name any node is
// ignored: it would make every graph a loop.
Links linksOf(const GraphScope& scope)
{
    Links links(scope.graph.nodes.size());
    const auto link = [&](const std::string& from, const std::string& to) {
        const auto start = scope.nodes.find(from);
        const auto end = scope.nodes.find(to);
        if (start != scope.nodes.end() && end != scope.nodes.end())
            links[start->second].push_back(end->second);
    };
    for (const Edge& edge : scope.graph.edges)
        for (const NodeId& from : edge.from)
            link(from.value, edge.to.value);
    for (const Branch& branch : scope.graph.branches)
        if (branch.targets)
            for (const auto& target : *branch.targets)
                link(branch.from.value, target.second.value);
    for (const Node& node : scope.graph.nodes)
        if (const Value* ends = node.settings.find("ends"); ends != nullptr && ends->isList())
            for (const Value& end : ends->asList())
                if (end.isString())
                    link(node.name.value, end.asString());
    return links;
}

Links reversed(const Links& links)
{
    Links back(links.size());
    for (std::size_t from = 0; from < links.size(); ++from)
        for (const std::size_t to : links[from])
            back[to].push_back(from);
    return back;
}

// Repeatedly removes nodes to which nothing leads.
void peel(const Links& links, const Links& back, std::vector<bool>& stays)
{
    std::vector<std::size_t> leading(links.size(), 0);
    std::vector<std::size_t> free;
    for (std::size_t node = 0; node < links.size(); ++node) {
        if (!stays[node])
            continue;
        leading[node] = static_cast<std::size_t>(
            std::ranges::count_if(back[node], [&](std::size_t from) { return stays[from]; }));
        if (leading[node] == 0)
            free.push_back(node);
    }
    while (!free.empty()) {
        const std::size_t node = free.back();
        free.pop_back();
        stays[node] = false;
        for (const std::size_t to : links[node])
            if (stays[to] && --leading[to] == 0)
                free.push_back(to);
    }
}

bool mayWrite(const Node& node, const std::string& channel)
{
    return !node.writes || std::ranges::find(*node.writes, channel) != node.writes->end();
}

} // namespace

void checkGrowth(const GraphScope& scope)
{
    const auto grows = [](const Channel& channel) {
        return channel.storage == ChannelStorage::Full && maySaveChanges(channel);
    };
    if (std::ranges::none_of(scope.graph.channels, grows))
        return;
    const Links links = linksOf(scope);
    const Links back = reversed(links);
    std::vector<bool> loops(links.size(), true); // nodes in a loop, or between two
    peel(links, back, loops);
    peel(back, links, loops);
    const Place state(scope.place, "state");
    for (const Channel& channel : scope.graph.channels) {
        if (!grows(channel) || channel.source.contains("storage"))
            continue;
        for (std::size_t node = 0; node < loops.size(); ++node)
            if (loops[node] && mayWrite(scope.graph.nodes[node], channel.name)) {
                scope.hint(Place(state, channel.name), "growing-list",
                           "node '" + scope.graph.nodes[node].name.value + "' stands in a loop and may make '"
                               + channel.name
                               + "' grow, and every checkpoint stores the whole list; \"storage\": \"delta\" "
                                 "stores what was added (\"full\" keeps it as it is)");
                break;
            }
    }
}

} // namespace sg::graph
