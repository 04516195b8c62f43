#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/projects/project.h"

#include <QString>

#include <filesystem>
#include <string>
#include <vector>

namespace sg::ui {

enum class GraphFormat { Svg, Png, Dot, Mermaid, Python }; // Python writes a project's folder

// Writes the graph in another program's form, blocking. Returns the differences, one a line.
Result<QString> exportTo(const graph::Graph& graph, const projects::ProjectPaths& project, GraphFormat format,
                         const std::filesystem::path& target);
QString listed(const std::vector<std::string>& notes); // one a line

} // namespace sg::ui
