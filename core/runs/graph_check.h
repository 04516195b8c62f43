#pragma once

#include "core/base/result.h"
#include "core/config/setting_layers.h"
#include "core/graph/graph_file.h"
#include "core/projects/project.h"

#include <string>
#include <string_view>

namespace sg::runs {

enum class Check {
    Form, // checks the file alone
    Files, // checks code files, too
    All, // checks jq programs, too
    Editing, // adds hints at what may be left to do
};

// Returns the project's graph file as it is now, with its problems. A file that is no JSON object has only
// that problem ("not-json"). `settings` override the graph's own, see setting_layers.h. An Error means that
// the file cannot be read.
Result<graph::GraphFile> checkedGraph(const projects::ProjectPaths& project, Check check,
                                      const config::SettingValues& settings = {});

// Returns the project's graph as it runs, with the graphs that it includes. With Check::Form code files are
// not checked; jq programs never are. Errc::InvalidArgument is its first error.
struct RunnableGraph {
    graph::Graph graph;
    std::string text; // as it is saved
};
Result<RunnableGraph> runnableGraph(const projects::ProjectPaths& project, Check check,
                                    const config::SettingValues& settings);

// Does the same as checkedGraph() for a text that was read before, or is not saved yet.
graph::GraphFile checkedText(const projects::ProjectPaths& project, std::string_view text, Check check,
                             const config::SettingValues& settings = {});

} // namespace sg::runs
