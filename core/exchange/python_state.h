#pragma once

#include "core/exchange/project_parts.h"
#include "core/exchange/python_module.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace sg::exchange {

// Writes the state of one graph as TypedDicts of its module.
class PythonState {
public:
    PythonState(const graph::Graph& graph, ProjectParts& parts, PythonModule& module, PythonNames& names);

    // Defines a class of the channels in `keys`, except unknown ones, and returns its name.
    std::string addSchema(const std::string& wantedName, const std::vector<std::string>& keys);
    [[nodiscard]] std::vector<std::string> allKeys() const;

private:
    std::string annotation(const graph::Channel& channel);
    std::string reduced(const graph::Channel& channel);
    std::string changes(const graph::Channel& channel);
    std::string own(const std::string& reducer);

    const graph::Graph& m_graph;
    ProjectParts& m_parts;
    PythonModule& m_module;
    PythonNames& m_names;
};

} // namespace sg::exchange
