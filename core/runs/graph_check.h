#pragma once

#include "core/base/result.h"
#include "core/config/setting_layers.h"
#include "core/graph/graph_file.h"
#include "core/projects/project.h"

#include <string_view>

namespace sg::runs {

enum class Check {
    Form, // what the file alone tells
    Files, // code files too
    All, // jq programs too
    Editing, // and hints at what may be left to do
};

// The project's graph file as it is now, with its problems; one that is no JSON object has that problem alone
// ("not-json"). `settings`: what lies over the graph's own, see setting_layers.h. An Error only where the
// file cannot be read.
Result<graph::GraphFile> checkedGraph(const projects::ProjectPaths& project, Check check,
                                      const config::SettingValues& settings = {});

// The same for a text that was read before, or is not in the file yet.
graph::GraphFile checkedText(const projects::ProjectPaths& project, std::string_view text, Check check,
                             const config::SettingValues& settings = {});

} // namespace sg::runs
