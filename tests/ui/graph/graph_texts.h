#pragma once

#include "core/graph/graph_file.h"

#include <QTest>

#include <string>

namespace sg::test {

// "start>a>b, b?yes>c, b?no>a, a+c>d, d>end" → a graph: plain edges, outcomes of a branch, waiting edges.
// Nodes are python nodes in order of appearance.
inline graph::Graph graphFromText(const std::string& text)
{
    graph::Graph graph;
    const auto trimmed = [](std::string part) {
        part.erase(0, part.find_first_not_of(' '));
        part.erase(part.find_last_not_of(' ') + 1);
        return part;
    };
    const auto split = [&](const std::string& whole, char sign) {
        std::vector<std::string> parts;
        std::size_t from = 0;
        for (std::size_t at = whole.find(sign); at != std::string::npos;
             from = at + 1, at = whole.find(sign, from))
            parts.push_back(trimmed(whole.substr(from, at - from)));
        parts.push_back(trimmed(whole.substr(from)));
        return parts;
    };
    const auto node = [&](const std::string& name) {
        if (name == "start")
            return NodeId(graph::kStart);
        if (name == "end")
            return NodeId(graph::kEnd);
        const NodeId id(name);
        if (!graph.findNode(id)) {
            graph::Node added;
            added.name = id;
            added.kind = "python";
            graph.nodes.push_back(added);
        }
        return id;
    };
    for (const std::string& chain : split(text, ',')) {
        if (chain.empty())
            continue;
        const std::vector<std::string> steps = split(chain, '>');
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            const std::vector<std::string> outcome = split(steps[i], '?');
            if (outcome.size() == 2) {
                const NodeId from = node(outcome[0]);
                auto branch = std::find_if(graph.branches.begin(), graph.branches.end(),
                                           [&](const graph::Branch& other) { return other.from == from; });
                if (branch == graph.branches.end()) {
                    graph.branches.push_back({ from, {}, std::vector<std::pair<std::string, NodeId>>{}, {} });
                    branch = graph.branches.end() - 1;
                }
                branch->targets->emplace_back(outcome[1], node(steps[i + 1]));
                continue;
            }
            graph::Edge edge;
            for (const std::string& name : split(steps[i], '+'))
                edge.from.push_back(node(name));
            edge.waiting = edge.from.size() > 1;
            edge.to = node(steps[i + 1]);
            graph.edges.push_back(edge);
        }
    }
    return graph;
}

} // namespace sg::test
