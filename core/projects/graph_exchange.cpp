#include "core/projects/graph_exchange.h"

#include "core/base/code_file.h"
#include "core/base/errno_error.h"
#include "core/base/file.h"
#include "core/exchange/langgraph_json.h"
#include "core/exchange/python_project.h"
#include "core/graph/graph_file.h"
#include "core/projects/module_folders.h"

namespace sg::projects {
namespace fs = std::filesystem;
namespace {

// Removes the files that it wrote unless they are kept.
class NewFiles {
public:
    explicit NewFiles(fs::path folder)
        : m_folder(std::move(folder))
    {
    }
    ~NewFiles()
    {
        std::error_code ignored;
        for (const fs::path& top : m_tops)
            fs::remove_all(top, ignored);
        if (m_isNew)
            fs::remove(m_folder, ignored);
    }
    NewFiles(const NewFiles&) = delete;
    NewFiles& operator=(const NewFiles&) = delete;

    Result<void> begin()
    {
        std::error_code error;
        const bool isThere = fs::exists(m_folder, error);
        if (isThere && (!fs::is_directory(m_folder, error) || !fs::is_empty(m_folder, error)))
            return Error{ Errc::Exists,
                          m_folder.string() + " is there and not an empty folder; name a new one" };
        m_isNew = !isThere;
        fs::create_directories(m_folder, error);
        return error ? Result<void>(errnoError(error.value(), "make the folder " + m_folder.string()))
                     : Result<void>();
    }

    Result<void> write(const std::string& path, const std::string& content)
    {
        const fs::path file = m_folder / path;
        m_tops.push_back(m_folder / *fs::path(path).begin());
        std::error_code error;
        fs::create_directories(file.parent_path(), error);
        if (error)
            return errnoError(error.value(), "make the folder " + file.parent_path().string());
        return writeFileAtomically(file, content);
    }

    void keep()
    {
        m_tops.clear();
        m_isNew = false;
    }

private:
    const fs::path m_folder;
    std::vector<fs::path> m_tops;
    bool m_isNew = false;
};

} // namespace

Result<Exported> exportPython(const graph::Graph& graph, const ProjectPaths& project, const fs::path& folder)
{
    const auto folders = moduleFolders(graph, project.folder);
    if (!folders)
        return folders.error();
    const auto texts = moduleFiles(*folders);
    if (!texts)
        return texts.error();
    std::vector<exchange::ExportedFile> modules;
    for (const auto& [path, text] : *texts)
        modules.push_back({ path, text });
    auto made = exchange::pythonProject(
        graph, nameOfGraph(graph, project.graph),
        [&](const RelativePath& file) { return readCodeFile(project.folder, file); }, modules);
    if (!made)
        return std::move(made.error());
    NewFiles files(folder);
    if (auto begun = files.begin(); !begun)
        return std::move(begun.error());
    Exported exported{ made->package, {}, made->notes };
    for (const exchange::ExportedFile& file : made->files) {
        if (auto written = files.write(file.path, file.content); !written)
            return std::move(written.error());
        exported.files.push_back(file.path);
    }
    files.keep();
    return exported;
}

std::string pictureOf(const graph::Graph& graph, PictureFormat format)
{
    return exchange::picture(graph, format);
}

Result<Imported> importLangGraph(const fs::path& json, const fs::path& graphFile)
{
    constexpr std::string_view kEnding = ".graph.json";
    const std::string name = graphFile.filename().string();
    if (name.size() <= kEnding.size() || !name.ends_with(kEnding))
        return Error{ Errc::InvalidArgument, "call the new graph file NAME.graph.json, not '" + name + "'" };
    std::error_code error;
    if (fs::symlink_status(graphFile, error).type() != fs::file_type::not_found)
        return Error{ Errc::Exists, graphFile.string() + " is there already; name a new file" };
    const auto text = readFile(json, 32U << 20);
    if (!text)
        return text.error();
    const auto skeleton = exchange::skeletonOf(*text, name.substr(0, name.size() - kEnding.size()));
    if (!skeleton)
        return Error(skeleton.error()).during(json.string());
    Imported imported{ .notes = skeleton->notes, .nodes = skeleton->graph.nodes.size() };
    const fs::path folder = graphFile.has_parent_path() ? graphFile.parent_path() : fs::path(".");
    fs::create_directories(folder / "nodes", error);
    if (error)
        return errnoError(error.value(), "make the folder " + (folder / "nodes").string());
    for (const exchange::ExportedFile& code : skeleton->code) {
        if (fs::symlink_status(folder / code.path, error).type() != fs::file_type::not_found) {
            imported.kept.push_back(code.path);
            continue;
        }
        if (auto written = writeFileAtomically(folder / code.path, code.content); !written)
            return std::move(written.error());
        imported.written.push_back(code.path);
    }
    if (auto saved = graph::saveGraph(skeleton->graph, graphFile); !saved)
        return std::move(saved.error());
    return imported;
}

} // namespace sg::projects
