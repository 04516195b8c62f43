#pragma once

#include "core/base/result.h"
#include "core/exchange/python_project.h"
#include "core/graph/graph.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sg::exchange {

// The place of a code file in the package.
struct CodeModule {
    std::string source;
    std::string path; // "nodes/work.py"
    std::string package; // ".nodes"
    std::string name; // "work"
};

// All code files of a graph and its subgraphs, each once.
class CodeModules {
public:
    static Result<CodeModules> collect(const graph::Graph& graph, const ReadCode& readCode);

    [[nodiscard]] const CodeModule* find(const std::string& file) const;
    [[nodiscard]] std::vector<std::string> folders() const; // top-level folders in the package
    [[nodiscard]] std::vector<ExportedFile> files() const; // with the __init__.py that they need
    [[nodiscard]] std::vector<std::string> foreignImports() const; // neither Python's nor LangGraph's
    [[nodiscard]] const std::map<std::string, CodeModule, std::less<>>& all() const { return m_modules; }

private:
    Result<void> addGraph(const graph::Graph& graph, const ReadCode& readCode);
    Result<void> addSettings(const ValueMap& settings, const ReadCode& readCode);
    void place(CodeModule& module, const std::string& file);

    std::map<std::string, CodeModule, std::less<>> m_modules; // by path in the graph file
    std::set<std::string, std::less<>> m_paths;
};

// The form of a function in a code file, found by its "def" at the start of a line.
struct FunctionShape {
    bool found = false;
    bool isAsync = false;
    std::string second; // name of a second parameter without a default; empty: none
};
FunctionShape shapeOf(const std::string& source, const std::string& function);

} // namespace sg::exchange
