#pragma once

#include "core/base/result.h"
#include "core/exchange/picture.h"
#include "core/graph/graph.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string>
#include <vector>

// These functions read and write the formats of core/exchange on the disk.
namespace sg::projects {

struct Exported {
    std::string package;
    std::vector<std::string> files; // relative to the folder
    std::vector<std::string> notes; // differences from this graph
};

// Writes a Python project for LangGraph into `folder`, which must be new or empty (Errc::Exists). A failure
// leaves no files. Errc::Unsupported names what LangGraph lacks. The graph must have no errors.
Result<Exported> exportPython(const graph::Graph& graph, const ProjectPaths& project,
                              const std::filesystem::path& folder);

using PictureFormat = exchange::PictureFormat;
std::string pictureOf(const graph::Graph& graph, PictureFormat format);

struct Imported {
    std::vector<std::string> written{}; // code files, relative to the graph's folder
    std::vector<std::string> kept{}; // code files that existed and were not changed
    std::vector<std::string> notes{};
    std::size_t nodes = 0;
};

// Turns the JSON of LangGraph's graph.get_graph().to_json() into a new graph file with an empty code file per
// node. No file is overwritten. Errc::Exists: the graph file exists; InvalidArgument: it is other JSON.
Result<Imported> importLangGraph(const std::filesystem::path& json, const std::filesystem::path& graphFile);

} // namespace sg::projects
