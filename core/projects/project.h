#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::graph {
struct Graph;
}

namespace sg::projects {

// Where a project keeps things. A project is a folder with graph files; what running makes lies in
// .sandglass/.
struct ProjectPaths {
    std::filesystem::path folder; // absolute
    std::filesystem::path graph; // empty: the folder has none yet
    std::filesystem::path data; // folder/.sandglass
    std::filesystem::path checkpoints; // data/checkpoints.sqlite, or what the caller chose
    std::filesystem::path store; // .sandglass/store.sqlite: what all threads share
    std::filesystem::path artifacts; // data/artifacts.sqlite
    std::filesystem::path blobs;
    std::filesystem::path audit; // data/audit.sqlite
    std::filesystem::path snapshots; // data/snapshots: contents of sessions' files at checkpoints
    std::filesystem::path sessions;
    std::filesystem::path datasets; // folder/datasets
    std::string id; // 8 hex digits of the folder's path: names of containers
};

// Whether `path` is a file that begins as SQLite's do. Anything else, also what cannot be read, is none.
bool isDatabaseFile(const std::filesystem::path& path);

// A checkpoint database from anywhere, without a graph: to be opened read-only. What the window keeps beside
// it goes to this user's data folder. Errc::NotFound where there is no place for that.
Result<ProjectPaths> databaseProject(const std::filesystem::path& file);

// A graph file, or a folder: its only *.graph.json, or the one named like the folder, or the first by name.
Result<ProjectPaths> locateProject(const std::filesystem::path& graphOrFolder);

// The one graph that the words of a command line mean. Errc::NotFound where a folder has none,
// Errc::InvalidArgument where it has several and none is named like the folder.
Result<ProjectPaths> locateGraph(const std::filesystem::path& graphOrFolder);

// The project that holds `from`, looking upwards for .sandglass or a graph file.
Result<ProjectPaths> findProject(const std::filesystem::path& from);

std::vector<std::filesystem::path> graphFiles(const std::filesystem::path& folder);

// What runs are recorded under: the graph's own name, else the file's.
std::string nameOfGraph(const graph::Graph& graph, const std::filesystem::path& file);

// The project's graph file that a run was recorded for (RunRecord::graph); empty: there is none, or several.
std::filesystem::path graphOfRun(const ProjectPaths& project, const std::string& recorded);

// Makes a project of a checkpoint database from elsewhere: its copy, as it is at this moment, beneath a graph
// without nodes. The folder may be there; nothing in it is written over (Errc::Exists). The database itself
// is only read.
Result<void> copyToProject(const std::filesystem::path& database, const std::filesystem::path& folder);

} // namespace sg::projects
