#pragma once

#include "core/graph/graph_file.h"
#include "core/projects/project.h"

#include <map>
#include <string>
#include <vector>

namespace sg::runs {

// Problems of code files, by their names in the graph.
struct CodeFaults {
    struct Fault {
        std::string text; // "nodes/plan.py:3:5: SyntaxError: invalid syntax"
        bool isOfPython = true; // which another Python may see otherwise
        std::string channel = {}; // that the state lacks and the code uses; empty: something else is wrong
        friend bool operator==(const Fault&, const Fault&) = default;
    };
    std::map<std::string, std::vector<Fault>> ofFiles;
    std::string unchecked; // why Python was not asked; empty: it was, or there was nothing to ask
    friend bool operator==(const CodeFaults&, const CodeFaults&) = default;
};

// Asks Python about the code files of nodes, branches and error handlers: a bubblewrap sandbox compiles them
// (about 0.1 s for all) and runs nothing. Without code files it starts no sandbox. Blocks; any thread.
CodeFaults findCodeFaults(const graph::Graph& graph, const projects::ProjectPaths& project);
// Adds the faults to the file's problems ("bad-python", and the warning "undeclared-channel") where the graph
// names the code files.
void addCodeFaults(graph::GraphFile& file, const CodeFaults& faults);
// Returns those of `modules` that the code files of the graph and the modules beside them import. It looks at
// lines alone: nothing is compiled. Any thread.
std::vector<std::string> importsOf(const graph::Graph& graph, const projects::ProjectPaths& project,
                                   const std::vector<std::string>& modules);
// Finds the faults of the code files and adds them to the file's problems. If there can be no sandbox, a hint
// says so.
void checkCode(graph::GraphFile& file, const projects::ProjectPaths& project);

} // namespace sg::runs
