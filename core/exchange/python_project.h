#pragma once

#include "core/base/relative_path.h"
#include "core/base/result.h"
#include "core/graph/graph.h"

#include <functional>
#include <string>
#include <vector>

// Exports a graph as a Python project for LangGraph: StateGraph code as a person would write it, the
// unchanged code files, and what they need.
namespace sg::exchange {

struct ExportedFile {
    std::string path; // relative, '/' between folders
    std::string content;
    friend bool operator==(const ExportedFile&, const ExportedFile&) = default;
};

struct PythonProject {
    std::string package; // what `python -m` takes
    std::vector<ExportedFile> files;
    std::vector<std::string> notes; // differences from this graph, which the README lists, too
};

// Returns a code file's text by its path in the graph file.
using ReadCode = std::function<Result<std::string>(const RelativePath&)>;

// `modules` are the files below the folders from which the code imports, by their path in the project. `name`
// names the package if the graph has no name. The graph must have no errors (validate.h). Errc::Unsupported
// names everything that LangGraph has no counterpart for; errors of `readCode` are returned.
Result<PythonProject> pythonProject(const graph::Graph& graph, const std::string& name,
                                    const ReadCode& readCode, const std::vector<ExportedFile>& modules = {});

} // namespace sg::exchange
