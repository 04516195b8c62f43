#pragma once

#include "core/base/relative_path.h"
#include "core/base/result.h"
#include "core/graph/graph.h"

#include <functional>
#include <string>
#include <vector>

// A graph as a Python project for LangGraph itself: StateGraph code that a person would write, the code files
// as they are, and what they need.
namespace sg::exchange {

struct ExportedFile {
    std::string path; // relative, '/' between folders
    std::string content;
    friend bool operator==(const ExportedFile&, const ExportedFile&) = default;
};

struct PythonProject {
    std::string package; // what `python -m` takes
    std::vector<ExportedFile> files;
    std::vector<std::string> notes; // what is otherwise there than here; stands in the README too
};

// A code file's text, by its path in the graph file.
using ReadCode = std::function<Result<std::string>(const RelativePath&)>;

// `modules`: files below the folders whose Python modules the code imports, by their path in the project.
// `name`: of the package where the graph has none of its own. The graph has no errors (validate.h).
// Errc::Unsupported names everything that has no counterpart; the errors of `readCode` pass.
Result<PythonProject> pythonProject(const graph::Graph& graph, const std::string& name,
                                    const ReadCode& readCode, const std::vector<ExportedFile>& modules = {});

} // namespace sg::exchange
