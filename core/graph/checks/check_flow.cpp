#include "core/graph/checks/checks.h"
#include "core/graph/codecs.h"
#include "core/graph/near_name.h"

#include <set>

namespace sg::graph {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

void checkStart(const GraphScope& scope, const std::string& name, const Place& place, const char* what)
{
    if (name == kEnd)
        scope.error(place, "bad-edge", std::string(what) + " cannot start at __end__");
    else if (!scope.nodes.contains(name))
        scope.error(place, "unknown-node",
                    std::string(what) + " from unknown node '" + name + "'"
                        + didYouMean(name, scope.nodeNames));
}

void checkEnd(const GraphScope& scope, const std::string& name, const Place& place, const char* what)
{
    if (name == kStart)
        scope.error(place, "bad-edge", std::string(what) + " cannot lead to __start__");
    else if (name != kEnd && !scope.nodes.contains(name))
        scope.error(place, "unknown-node",
                    std::string(what) + " to unknown node '" + name + "'"
                        + didYouMean(name, scope.nodeNames));
}

void checkEdge(const GraphScope& scope, const Edge& edge, const Place& place)
{
    const Place from(place, std::size_t{ 0 });
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < edge.from.size(); ++i) {
        const std::string& name = edge.from[i].value;
        const Place item(from, i);
        const Place& at = edge.waiting ? item : from;
        if (name == kStart && edge.waiting)
            scope.error(at, "bad-edge", "a waiting edge cannot wait for __start__");
        else if (name != kStart)
            checkStart(scope, name, at, "edge");
        if (!seen.insert(name).second)
            scope.warning(at, "duplicate-name", "the waiting edge names '" + name + "' twice");
    }
    checkEnd(scope, edge.to.value, Place(place, 1), "edge");
}

void checkTargets(const GraphScope& scope, const Branch& branch, const Place& place)
{
    if (!branch.targets)
        return;
    const Value* raw = branch.source.find("targets");
    const bool isList = raw != nullptr && raw->isList();
    const Place targets(place, "targets");
    if (branch.targets->empty())
        scope.error(targets, "bad-branch",
                    "a branch without any target leads nowhere; leave \"targets\" out to allow every node");
    std::set<std::string_view> labels;
    for (std::size_t i = 0; i < branch.targets->size(); ++i) {
        const auto& [label, node] = (*branch.targets)[i];
        const Place byIndex(targets, i);
        const Place byLabel(targets, label);
        const Place& at = isList ? byIndex : byLabel;
        checkEnd(scope, node.value, at, "branch");
        if (!labels.insert(label).second)
            scope.error(at, "bad-branch", "the label '" + label + "' stands there twice");
    }
}

// Follows edges from the start. A waiting edge is followed once all of its starts are reached.
class Reach {
public:
    explicit Reach(const GraphScope& scope)
        : m_scope(scope)
        , m_isReached(scope.graph.nodes.size(), false)
        , m_edgesOf(scope.graph.nodes.size())
        , m_branchesOf(scope.graph.nodes.size())
        , m_missing(scope.graph.edges.size(), 0)
    {
        index();
    }

    std::vector<bool> run()
    {
        for (const std::size_t edge : m_startEdges)
            follow(edge);
        for (const std::size_t branch : m_startBranches)
            followBranch(m_scope.graph.branches[branch]);
        while (!m_open.empty()) {
            const std::size_t node = m_open.back();
            m_open.pop_back();
            for (const std::size_t edge : m_edgesOf[node])
                follow(edge);
            for (const std::size_t branch : m_branchesOf[node])
                followBranch(m_scope.graph.branches[branch]);
            followCommand(m_scope.graph.nodes[node]);
        }
        return m_isReached;
    }

private:
    void index()
    {
        for (std::size_t i = 0; i < m_scope.graph.edges.size(); ++i)
            for (const std::set<std::string_view> starts = startsOf(i);
                 const std::string_view start : starts) {
                ++m_missing[i];
                if (start == kStart)
                    m_startEdges.push_back(i);
                else if (const std::size_t node = indexOf(start); node != kNone)
                    m_edgesOf[node].push_back(i);
            }
        for (std::size_t i = 0; i < m_scope.graph.branches.size(); ++i) {
            const std::string& start = m_scope.graph.branches[i].from.value;
            if (start == kStart)
                m_startBranches.push_back(i);
            else if (const std::size_t node = indexOf(start); node != kNone)
                m_branchesOf[node].push_back(i);
        }
    }

    [[nodiscard]] std::set<std::string_view> startsOf(std::size_t edge) const
    {
        std::set<std::string_view> starts;
        for (const NodeId& start : m_scope.graph.edges[edge].from)
            starts.insert(start.value);
        return starts;
    }

    [[nodiscard]] std::size_t indexOf(std::string_view name) const
    {
        const auto found = m_scope.nodes.find(name);
        return found == m_scope.nodes.end() ? kNone : found->second;
    }

    void follow(std::size_t edge)
    {
        if (--m_missing[edge] == 0)
            reach(m_scope.graph.edges[edge].to.value);
    }

    void followBranch(const Branch& branch)
    {
        if (!branch.targets)
            return reachAll(); // its outcome may name any node
        for (const auto& [label, node] : *branch.targets)
            reach(node.value);
    }

    void followCommand(const Node& node)
    {
        const Value* ends = node.settings.find("ends");
        if (ends == nullptr || !ends->isList())
            return;
        for (const Value& end : ends->asList())
            if (end.isString())
                reach(end.asString());
    }

    void reach(std::string_view name)
    {
        const std::size_t node = indexOf(name);
        if (node == kNone || m_isReached[node])
            return;
        m_isReached[node] = true;
        m_open.push_back(node);
    }

    void reachAll()
    {
        if (std::exchange(m_isAllReached, true))
            return;
        for (const std::string_view name : m_scope.nodeNames)
            reach(name);
    }

    const GraphScope& m_scope;
    std::vector<bool> m_isReached;
    std::vector<std::vector<std::size_t>> m_edgesOf;
    std::vector<std::vector<std::size_t>> m_branchesOf;
    std::vector<std::size_t> m_startEdges;
    std::vector<std::size_t> m_startBranches;
    std::vector<std::size_t> m_missing; // by edge: starts that are not reached yet
    std::vector<std::size_t> m_open;
    bool m_isAllReached = false;
};

bool hasEntry(const Graph& graph)
{
    for (const Edge& edge : graph.edges)
        for (const NodeId& from : edge.from)
            if (from.value == kStart && !edge.waiting)
                return true;
    for (const Branch& branch : graph.branches)
        if (branch.from.value == kStart)
            return true;
    return false;
}

// Returns the nodes that have an edge or a branch, or name by themselves what follows.
std::unordered_set<std::string_view> nodesWithAWayOn(const Graph& graph)
{
    std::unordered_set<std::string_view> nodes;
    for (const Edge& edge : graph.edges)
        for (const NodeId& from : edge.from)
            nodes.insert(from.value);
    for (const Branch& branch : graph.branches)
        nodes.insert(branch.from.value);
    for (const Node& node : graph.nodes)
        if (node.settings.contains("ends"))
            nodes.insert(node.name.value);
    return nodes;
}

} // namespace

void checkEdges(const GraphScope& scope)
{
    const Place edges(scope.place, "edges");
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < scope.graph.edges.size(); ++i) {
        const Edge& edge = scope.graph.edges[i];
        const Place place(edges, scope.edgePlaces[i]);
        checkEdge(scope, edge, place);
        if (!seen.insert(toJson(EdgeCodec::write(edge))).second)
            scope.warning(place, "duplicate-edge", "the same edge stands there twice");
    }
}

void checkBranches(const GraphScope& scope)
{
    const Place branches(scope.place, "branches");
    for (std::size_t i = 0; i < scope.graph.branches.size(); ++i) {
        const Branch& branch = scope.graph.branches[i];
        const Place place(branches, scope.branchPlaces[i]);
        if (branch.from.value != kStart)
            checkStart(scope, branch.from.value, Place(place, "from"), "branch");
        if (!branch.settings.contains("jq") && !branch.settings.contains("file"))
            scope.error(place, "missing-setting",
                        "a branch needs \"jq\", or \"file\" and \"function\", to decide by");
        checkCode(scope, branch.settings, place);
        checkTargets(scope, branch, place);
    }
}

void checkReach(const GraphScope& scope)
{
    if (scope.graph.nodes.empty() && scope.checking.host.forEditing)
        return scope.hint(scope.place, "missing-entry", "nothing runs yet: add a node");
    if (!hasEntry(scope.graph))
        return scope.error(
            scope.place, "missing-entry",
            "the graph has no entry: add an edge from __start__ to the first node, [\"__start__\", \"…\"]");
    const std::vector<bool> reached = Reach(scope).run();
    const std::unordered_set<std::string_view> going = scope.checking.host.forEditing
        ? nodesWithAWayOn(scope.graph)
        : std::unordered_set<std::string_view>();
    const Place nodes(scope.place, "nodes");
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const std::string& name = scope.graph.nodes[i].name.value;
        if (!reached[i] && scope.nodes.at(name) == i)
            scope.warning(Place(nodes, scope.nodePlaces[i]), "unreachable-node",
                          "no edge or branch leads from the start to node '" + name
                              + "'; only a Command or Send that names it would run it");
        else if (scope.checking.host.forEditing && reached[i] && !going.contains(name))
            scope.hint(Place(nodes, scope.nodePlaces[i]), "dead-end",
                       "nothing follows node '" + name
                           + "': a run ends there. An edge to __end__ says that it is meant");
    }
}

} // namespace sg::graph
