#pragma once

#include "core/exchange/project_parts.h"
#include "core/exchange/python_module.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace sg::exchange {

// The state of one graph as TypedDicts in its module.
class PythonState {
public:
    PythonState(const graph::Graph& graph, ProjectParts& parts, PythonModule& module, PythonNames& names);

    // Defines the class and returns its name. `keys`: of these channels; keys that the state has not are left
    // out.
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
