#pragma once

#include "core/exchange/project_parts.h"
#include "core/exchange/python_module.h"
#include "core/graph/graph.h"

#include <map>
#include <string>
#include <utility>

namespace sg::exchange {

// Writes the functions of a graph's nodes, branches and error handlers that its module defines or imports.
class NodeSteps {
public:
    NodeSteps(const graph::Graph& graph, ProjectParts& parts, PythonModule& module, PythonNames& names);

    // Returns the argument of add_node(). `state` is the schema's class, `subgraph` the subgraph's module.
    std::string action(const graph::Node& node, const std::string& state, const std::string& subgraph);
    std::string errorHandler(const graph::Node& node, const std::string& state);
    std::string branch(const graph::Branch& branch, const std::string& state);
    // Tells whether the node's input schema can express its slice: not if branches after it must see more.
    [[nodiscard]] bool readsBySchema(const graph::Node& node) const;

private:
    std::string body(const graph::Node& node, const std::string& subgraph);
    std::string subgraphBody(const graph::Node& node, const std::string& subgraph);
    std::string datasetBody(const graph::Node& node);
    std::string questionBody(const graph::Node& node);
    std::string define(const std::string& wantedName, const std::string& signature, const std::string& body,
                       const std::string& decorator = {});
    std::string imported(const ValueMap& settings, const std::string& what, bool isHandler = false);
    std::string runJq(const std::string& program, const std::string& value, int indent);
    std::string sliced(const graph::Node& node);
    void refuse(const std::string& what) { m_parts.refusals.push_back(what); }

    const graph::Graph& m_graph;
    ProjectParts& m_parts;
    PythonModule& m_module;
    PythonNames& m_names;
    std::map<std::string, std::string> m_imports; // code file → its name here
    std::set<std::pair<std::string, std::string>> m_routes; // start, name of the function
};

} // namespace sg::exchange
