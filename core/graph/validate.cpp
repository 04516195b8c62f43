#include "core/graph/validate.h"

#include "core/graph/checks/checks.h"

#include <algorithm>
#include <tuple>

namespace sg::graph {

namespace {

std::vector<std::size_t> placesOf(std::size_t count, const Place& list,
                                  const std::unordered_set<std::string>& skipped)
{
    std::vector<std::size_t> places;
    places.reserve(count);
    std::size_t inFile = 0;
    for (std::size_t i = 0; i < count; ++i, ++inFile) {
        while (!skipped.empty() && skipped.contains(Place(list, inFile).pointer()))
            ++inFile;
        places.push_back(inFile);
    }
    return places;
}

void checkGraph(const Graph& graph, const Place& place, Checking& checking, bool isNested = false)
{
    GraphScope scope(graph, place, checking);
    scope.isNested = isNested;
    checkChannels(scope);
    checkNodes(scope);
    checkEdges(scope);
    checkBranches(scope);
    checkReach(scope);
    checkGrowth(scope);
    checkRun(scope);
    checkSandbox(scope);
    checkModelDefaults(scope);
    checkServers(scope);
    checkRoles(scope);
    const Place nodes(place, "nodes");
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (const auto& inner = graph.nodes[i].subgraph; inner && checking.found.enterGraph(place)) {
            const Place node(nodes, scope.nodePlaces[i]);
            checkGraph(*inner, Place(node, "graph"), checking, true);
            checking.found.leaveGraph();
        }
}

void checkPrograms(Checking& checking)
{
    if (!checking.host.checkJq || checking.programs.empty())
        return;
    std::vector<std::string> texts;
    texts.reserve(checking.programs.size());
    for (const FoundProgram& program : checking.programs)
        texts.push_back(program.text);
    for (const auto& [index, message] : checking.host.checkJq(texts))
        if (index < checking.programs.size())
            checking.found.problems.push_back({ Problem::Severity::Error,
                                                "bad-jq",
                                                "jq: " + message,
                                                checking.programs[index].pointer,
                                                {} });
}

auto order(const Problem& problem)
{
    return std::tuple(static_cast<int>(problem.severity), problem.position.line, problem.position.column);
}

} // namespace

GraphScope::GraphScope(const Graph& itsGraph, const Place& itsPlace, Checking& itsChecking)
    : graph(itsGraph)
    , place(itsPlace)
    , checking(itsChecking)
    , nodePlaces(placesOf(graph.nodes.size(), Place(place, "nodes"), checking.skipped))
    , edgePlaces(placesOf(graph.edges.size(), Place(place, "edges"), checking.skipped))
    , branchPlaces(placesOf(graph.branches.size(), Place(place, "branches"), checking.skipped))
{
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (nodes.emplace(graph.nodes[i].name.value, i).second)
            nodeNames.push_back(graph.nodes[i].name.value);
    for (const Channel& channel : graph.channels)
        if (channels.emplace(channel.name, &channel).second)
            channelNames.push_back(channel.name);
}

std::vector<Problem> validate(const GraphFile& file, const ValidationHost& host)
{
    Checking checking{ host, {}, { file.skipped.begin(), file.skipped.end() }, {} };
    checkGraph(file.graph, Place(), checking);
    checkPrograms(checking);
    std::vector<Problem> problems = file.problems;
    problems.reserve(problems.size() + checking.found.problems.size());
    for (Problem& problem : checking.found.problems) {
        problem.position = positionOf(file.positions, problem.pointer);
        problems.push_back(std::move(problem));
    }
    std::ranges::stable_sort(problems, {}, order);
    return problems;
}

} // namespace sg::graph
