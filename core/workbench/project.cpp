#include "core/workbench/project.h"

#include "core/base/hash.h"

#include <algorithm>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::workbench {
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
    paths.artifacts = paths.data / "artifacts.sqlite";
    paths.blobs = paths.data / "blobs";
    paths.sessions = paths.data / "sessions";
    paths.datasets = folder / "datasets";
    paths.id = sha256Hex(folder.string()).substr(0, 8);
    return paths;
}

fs::path defaultGraph(const fs::path& folder)
{
    const std::vector<fs::path> graphs = graphFiles(folder);
    const fs::path named = folder / (folder.filename().string() + std::string(kGraphSuffix));
    if (std::ranges::find(graphs, named) != graphs.end())
        return named;
    return graphs.empty() ? fs::path() : graphs.front();
}

} // namespace

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
            + " or above it. Name the database with --db FILE, or change to a folder with a *.graph.json."
    };
}

} // namespace sg::workbench
