#include "core/projects/project.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/user_folders.h"
#include "core/graph/graph_file.h"
#include "core/sqlite/db.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::projects {
namespace {

constexpr std::string_view kGraphSuffix = ".graph.json";

bool isGraphFile(const fs::path& path)
{
    return path.filename().string().ends_with(kGraphSuffix);
}

ProjectPaths pathsOf(const fs::path& folder, const fs::path& graph)
{
    ProjectPaths paths;
    paths.folder = folder;
    paths.graph = graph;
    paths.data = folder / ".sandglass";
    paths.checkpoints = paths.data / "checkpoints.sqlite";
    paths.store = paths.data / "store.sqlite";
    paths.artifacts = paths.data / "artifacts.sqlite";
    paths.blobs = paths.data / "blobs";
    paths.audit = paths.data / "audit.sqlite";
    paths.snapshots = paths.data / "snapshots";
    paths.sessions = paths.data / "sessions";
    paths.datasets = folder / "datasets";
    paths.id = xxh3Hex(folder.string()).substr(0, 8);
    return paths;
}

bool isNamedLikeItsFolder(const fs::path& graph)
{
    return graph.filename() == graph.parent_path().filename().string() + std::string(kGraphSuffix);
}

fs::path defaultGraph(const fs::path& folder)
{
    const std::vector<fs::path> graphs = graphFiles(folder);
    const auto named = std::ranges::find_if(graphs, isNamedLikeItsFolder);
    if (named != graphs.end())
        return *named;
    return graphs.empty() ? fs::path() : graphs.front();
}

namespace fs = std::filesystem;

Result<void> writeEmptyGraph(const fs::path& file, const std::string& name)
{
    ValueMap graph{ { "format", 1 }, { "name", name } };
    graph.set("nodes", Value(ValueList()));
    graph.set("edges", Value(ValueList()));
    std::ofstream out(file);
    out << toJson(Value(std::move(graph)), JsonStyle::Indented) << '\n';
    out.close();
    if (out.fail())
        return Error{ Errc::Io, "write " + file.string() + ": free some space or choose another folder" };
    return {};
}

} // namespace

bool isDatabaseFile(const fs::path& path)
{
    static constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::error_code failed;
    if (!fs::is_regular_file(path, failed) || failed)
        return false;
    std::ifstream in(path, std::ios::binary);
    std::array<char, 16> head{};
    return in.read(head.data(), head.size()) && std::string_view(head.data(), head.size()) == kMagic;
}

Result<ProjectPaths> databaseProject(const fs::path& file)
{
    std::error_code failed;
    const fs::path absolute = fs::weakly_canonical(file, failed);
    if (failed)
        return Error{ Errc::Io, "find " + file.string() + ": " + failed.message() };
    const fs::path data = userDataFolder();
    if (data.empty())
        return Error{ Errc::NotFound,
                      "there is no folder for what belongs to " + file.string()
                          + ": set HOME or XDG_DATA_HOME" };
    const std::string id = xxh3Hex(absolute.string()).substr(0, 8);
    ProjectPaths paths = pathsOf(data / "sandglass" / "opened" / id, {});
    paths.folder = absolute.parent_path();
    paths.checkpoints = absolute;
    paths.id = id;
    return paths;
}

ProjectPaths workerProject(const fs::path& folder)
{
    const fs::path absolute = fs::absolute(folder);
    ProjectPaths paths = pathsOf(absolute, {});
    paths.id = xxh3Hex(absolute.string()).substr(0, 8);
    return paths;
}

std::vector<fs::path> graphFiles(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
        std::error_code ignored;
        if (isGraphFile(it->path()) && it->is_regular_file(ignored))
            found.push_back(it->path());
    }
    std::ranges::sort(found);
    return found;
}

Result<ProjectPaths> locateProject(const fs::path& graphOrFolder)
{
    std::error_code failed;
    const fs::path path = fs::canonical(graphOrFolder, failed);
    if (failed)
        return Error{ Errc::NotFound,
                      graphOrFolder.string() + ": " + failed.message()
                          + ". Name a *.graph.json, or a folder that holds one." };
    if (fs::is_directory(path, failed))
        return pathsOf(path, defaultGraph(path));
    if (!fs::is_regular_file(path, failed))
        return Error{ Errc::InvalidArgument, path.string() + ": neither a graph file nor a project folder" };
    return pathsOf(path.parent_path(), path);
}

Result<ProjectPaths> locateGraph(const fs::path& graphOrFolder)
{
    auto paths = locateProject(graphOrFolder);
    if (!paths)
        return paths;
    if (paths->graph.empty())
        return Error{ Errc::NotFound, paths->folder.string() + ": no *.graph.json in this folder" };
    std::error_code failed;
    if (!fs::is_directory(graphOrFolder, failed) || isNamedLikeItsFolder(paths->graph))
        return paths;
    const std::vector<fs::path> graphs = graphFiles(paths->folder);
    if (graphs.size() < 2)
        return paths;
    std::string names;
    for (const fs::path& graph : graphs)
        names += (names.empty() ? "" : ", ") + graph.filename().string();
    return Error{ Errc::InvalidArgument,
                  paths->folder.string() + " holds several graphs: " + names + ". Name one of them." };
}

std::filesystem::path graphOfRun(const ProjectPaths& project, const std::string& recorded)
{
    fs::path found;
    for (const fs::path& path : graphFiles(project.folder)) {
        const auto file = graph::loadGraph(path);
        if (!file || nameOfGraph(file->graph, path) != recorded)
            continue;
        if (!found.empty())
            return {};
        found = path;
    }
    return found;
}

std::string nameOfGraph(const graph::Graph& graph, const fs::path& file)
{
    return graph.name.empty() ? file.filename().string() : graph.name;
}

Result<ProjectPaths> findProject(const fs::path& from)
{
    std::error_code failed;
    const fs::path start = fs::canonical(from, failed);
    if (failed)
        return Error{ Errc::NotFound, from.string() + ": " + failed.message() };
    for (fs::path folder = start;; folder = folder.parent_path()) {
        if (fs::is_directory(folder / ".sandglass", failed) || !graphFiles(folder).empty())
            return pathsOf(folder, defaultGraph(folder));
        if (folder == folder.parent_path())
            break;
    }
    return Error{
        Errc::NotFound,
        "no project in " + start.string()
            + " or above it. Name one with --project FOLDER, or change to a folder with a *.graph.json."
    };
}

Result<void> copyToProject(const fs::path& database, const fs::path& folder)
{
    const fs::path target = folder / ".sandglass" / "checkpoints.sqlite";
    const std::string name = folder.filename().string();
    const fs::path graph = folder / (name + ".graph.json");
    std::error_code failed;
    for (const fs::path& taken : { target, graph })
        if (fs::exists(taken, failed))
            return Error{ Errc::Exists, taken.string() + " is there already: choose another folder" };
    fs::create_directories(target.parent_path(), failed);
    if (failed)
        return Error{ Errc::Io, "create " + target.parent_path().string() + ": " + failed.message() };
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto source = sqlite::Db::open(database, options);
    if (!source)
        return std::move(source.error());
    {
        auto copy = source->prepare("VACUUM INTO ?1"); // works while another program writes
        if (!copy)
            return std::move(copy.error());
        copy->bind(1, target.string());
        if (auto done = copy->run(); !done) {
            fs::remove(target, failed);
            return std::move(done.error()).during("copy " + database.string());
        }
    }
    return writeEmptyGraph(graph, name);
}

} // namespace sg::projects
