#pragma once

#include "core/base/result.h"
#include "core/exchange/picture.h"
#include "core/graph/graph.h"
#include "core/projects/project.h"

#include <filesystem>
#include <string>
#include <vector>

// Graphs in other programs' forms: what core/exchange writes, with the disk.
namespace sg::projects {

struct Exported {
    std::string package;
    std::vector<std::string> files; // relative to the folder
    std::vector<std::string> notes; // what is otherwise there than here
};

// A Python project for LangGraph in `folder`, which must be new or empty (Errc::Exists). Nothing is left
// behind where that fails halfway. Errc::Unsupported names what has no counterpart. The graph has no errors.
Result<Exported> exportPython(const graph::Graph& graph, const ProjectPaths& project,
                              const std::filesystem::path& folder);

using PictureFormat = exchange::PictureFormat;
std::string pictureOf(const graph::Graph& graph, PictureFormat format);

struct Imported {
    std::vector<std::string> written; // code files, relative to the graph's folder
    std::vector<std::string> kept; // that were there already: nothing in them was changed
    std::vector<std::string> notes;
    std::size_t nodes = 0;
};

// The JSON of LangGraph's graph.get_graph().to_json() as a new graph file with a code file a node, to be
// written. Errc::Exists where the graph file is there; no file is ever written over. Errc::InvalidArgument
// for other JSON.
Result<Imported> importLangGraph(const std::filesystem::path& json, const std::filesystem::path& graphFile);

} // namespace sg::projects
