#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::graph {
struct Graph;
}

namespace sg::projects {

// The places of a project, which is a folder with graph files; runs put their data into .sandglass/.
struct ProjectPaths {
    std::filesystem::path folder; // absolute
    std::filesystem::path graph; // empty: the folder has none yet
    std::filesystem::path data; // folder/.sandglass
    std::filesystem::path checkpoints; // data/checkpoints.sqlite, or what the caller chose
    std::string
        shared; // address of the PostgreSQL database with the threads; may hold a password; empty: none
    std::filesystem::path store; // .sandglass/store.sqlite, which all threads share
    std::filesystem::path artifacts; // data/artifacts.sqlite
    std::filesystem::path blobs;
    std::filesystem::path audit; // data/audit.sqlite
    std::filesystem::path snapshots; // data/snapshots: contents of sessions' files at checkpoints
    std::filesystem::path sessions;
    std::filesystem::path datasets; // folder/datasets
    std::string id; // 8 hex digits of the folder's path, used in names of containers
};

// Tells whether the file begins as SQLite's do. An unreadable file does not.
bool isDatabaseFile(const std::filesystem::path& path);

// Makes a project of a checkpoint database without a graph, to be opened read-only. The window keeps its own
// files for it in this user's data folder. Errc::NotFound: there is no place for them.
Result<ProjectPaths> databaseProject(const std::filesystem::path& file);

// Makes the project of a worker, which keeps what it needs in that folder and has no graph.
ProjectPaths workerProject(const std::filesystem::path& folder);

// Takes a graph file, or a folder: its only *.graph.json, the one named like it, or the first by name.
Result<ProjectPaths> locateProject(const std::filesystem::path& graphOrFolder);

// Returns the graph that a command line's argument means. Errc::NotFound: the folder has none;
// InvalidArgument: it has several and none is named like the folder.
Result<ProjectPaths> locateGraph(const std::filesystem::path& graphOrFolder);

// Returns the project that holds `from`, searching upwards for .sandglass or a graph file.
Result<ProjectPaths> findProject(const std::filesystem::path& from);

std::vector<std::filesystem::path> graphFiles(const std::filesystem::path& folder);

// Returns the name that runs are recorded under: the graph's own, else the file's.
std::string nameOfGraph(const graph::Graph& graph, const std::filesystem::path& file);

// Returns the graph file that a run was recorded for (RunRecord::graph); empty: there is none, or several.
std::filesystem::path graphOfRun(const ProjectPaths& project, const std::string& recorded);

// Makes a project with a copy of a checkpoint database and a graph without nodes. The folder may exist; no
// file in it is overwritten (Errc::Exists). The database itself is only read.
Result<void> copyToProject(const std::filesystem::path& database, const std::filesystem::path& folder);

} // namespace sg::projects
