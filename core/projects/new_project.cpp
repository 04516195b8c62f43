#include "core/projects/new_project.h"

#include "core/base/user_folders.h"
#include "core/base/utf8.h"
#include "core/graph/graph_file.h"
#include "core/graph/node_kinds.h"
#include "core/projects/project_text.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::projects {
namespace {

constexpr std::string_view kGraphEnding = ".graph.json";
constexpr std::string_view kEmpty = "empty";
constexpr std::size_t kLongestName = 80; // bytes
constexpr std::size_t kMostTemplateFiles = 1000; // of a template
constexpr int kDeepestDatabase = 2; // folders below the one that is looked at
constexpr std::size_t kMostLooked = 20000; // files
constexpr int kMostTries = 1000; // for a free name

std::string countOf(std::size_t count, const std::string& noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "3 Python nodes" where all are of one kind, else "5 nodes".
std::string nodesText(const graph::Graph& graph)
{
    const std::string& kind = graph.nodes.front().kind;
    const graph::NodeKind* known = graph::findNodeKind(kind);
    const bool isOneKind = std::ranges::all_of(
        graph.nodes, [&](const graph::Node& node) { return node.kind == kind && !node.subgraph; });
    if (!isOneKind || known == nullptr)
        return countOf(graph.nodes.size(), "node");
    return countOf(graph.nodes.size(), std::string(known->title) + " node");
}

bool sendsTasks(const graph::Branch& branch)
{
    const Value* program = branch.settings.find("jq");
    return program != nullptr && program->isString()
        && program->asString().find("__send__") != std::string::npos;
}

std::string factsOf(const graph::Graph& graph)
{
    if (graph.nodes.empty())
        return "Start and end, nothing between";
    std::string facts = nodesText(graph);
    const auto add = [&facts](bool holds, std::string_view words) {
        if (holds)
            facts.append(", ").append(words);
    };
    const bool sends = std::ranges::any_of(graph.branches, sendsTasks);
    add(sends, "a task per item");
    add(!graph.branches.empty() && !sends, "branches");
    add(std::ranges::any_of(graph.nodes, graph::asksPerson), "asks a person");
    add(std::ranges::any_of(graph.nodes, [](const graph::Node& node) { return !node.retry.empty(); }),
        "tries again");
    add(graph.store.enabled, "remembers");
    return facts;
}

std::vector<Template> templatesIn(const fs::path& parent, Template::Kind kind)
{
    std::vector<Template> found;
    std::error_code failed;
    for (fs::directory_iterator it(parent, failed), end; !failed && it != end; it.increment(failed)) {
        const std::vector<fs::path> graphs = graphFiles(it->path());
        if (graphs.size() != 1)
            continue;
        auto file = graph::loadGraph(graphs.front());
        if (!file || !file->skipped.empty())
            continue;
        found.push_back({ it->path().filename().string(), kind, it->path(), file->graph.description,
                          factsOf(file->graph), std::move(file->graph) });
    }
    std::ranges::sort(found, {}, [](const Template& each) { return std::pair(each.id != kEmpty, each.id); });
    return found;
}

Result<void> checkName(const std::string& name)
{
    const auto refuse = [](const std::string& why) { return Error{ Errc::InvalidArgument, why }; };
    if (name.empty())
        return refuse("give the project a name");
    if (name.size() > kLongestName)
        return refuse("the project's name is longer than " + std::to_string(kLongestName) + " bytes");
    const bool hasBadLetter = std::ranges::any_of(
        name, [](char letter) { return letter == '/' || static_cast<unsigned char>(letter) < ' '; });
    if (hasBadLetter || name.front() == '.' || !isValidUtf8(name))
        return refuse("a project's name is that of a folder: it begins with no dot and holds no slash and no "
                      "line break");
    return {};
}

Result<fs::path> absoluteFolder(const fs::path& folder)
{
    const std::string text = folder.string();
    if (text.empty())
        return Error{ Errc::InvalidArgument, "name the folder of the project" };
    fs::path full = folder;
    if (text == "~" || text.starts_with("~/")) {
        const fs::path home = userHomeFolder();
        if (home.empty())
            return Error{ Errc::InvalidArgument, "'~' means no folder here: HOME is not set" };
        full = text == "~" ? home : home / text.substr(2);
    }
    std::error_code failed;
    full = fs::weakly_canonical(fs::absolute(full, failed), failed);
    if (failed)
        return Error{ Errc::InvalidArgument, text + ": " + failed.message() };
    return full.has_filename() ? full : full.parent_path(); // "x/" is "x"
}

// The files that createProject() has made so far; taken away again unless they are kept.
class Made {
public:
    Made() = default;
    ~Made()
    {
        std::error_code ignored;
        for (auto it = m_paths.rbegin(); it != m_paths.rend(); ++it)
            fs::remove(*it, ignored); // a folder that somebody else has put a file into stays
    }
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    void keep() { m_paths.clear(); }
    void add(fs::path path) { m_paths.push_back(std::move(path)); }

    Result<void> makeFolder(const fs::path& folder)
    {
        std::vector<fs::path> missing;
        std::error_code failed;
        for (fs::path at = folder; !fs::exists(at, failed) && at != at.parent_path(); at = at.parent_path())
            missing.push_back(at);
        for (auto it = missing.rbegin(); it != missing.rend(); ++it) {
            if (fs::create_directory(*it, failed))
                add(*it);
            if (failed)
                return Error{ Errc::Io, "make the folder " + it->string() + ": " + failed.message() };
        }
        return {};
    }

private:
    std::vector<fs::path> m_paths;
};

// Files of the template beside its graph and its page for readers, relative to its folder.
Result<std::vector<fs::path>> filesOf(const Template& from)
{
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::recursive_directory_iterator it(from.folder, failed), end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        if (name == ".sandglass" || name == "__pycache__") {
            it.disable_recursion_pending();
            continue;
        }
        const fs::path relative = it->path().lexically_relative(from.folder);
        std::error_code ignored;
        if (!it->is_regular_file(ignored) || it->is_symlink(ignored) || relative == "README.md"
            || (it.depth() == 0 && name.ends_with(kGraphEnding)))
            continue;
        files.push_back(relative);
        if (files.size() > kMostTemplateFiles)
            return Error{ Errc::LimitExceeded,
                          from.folder.string() + " holds more than " + std::to_string(kMostTemplateFiles)
                              + " files" };
    }
    if (failed)
        return Error{ Errc::Io, "read the template " + from.folder.string() + ": " + failed.message() };
    return files;
}

Result<void> copyFiles(const Template& from, const std::vector<fs::path>& files, const fs::path& folder,
                       Made& made)
{
    for (const fs::path& file : files) {
        const fs::path target = folder / file;
        if (auto parent = made.makeFolder(target.parent_path()); !parent)
            return parent;
        std::error_code failed;
        fs::copy_file(from.folder / file, target, failed); // never over another one
        if (failed)
            return Error{ failed == std::errc::file_exists ? Errc::Exists : Errc::Io,
                          "write " + target.string() + ": " + failed.message() };
        made.add(target);
        // An installation's files may be read-only; those of a project are its user's to change.
        fs::permissions(target, fs::perms::owner_write, fs::perm_options::add, failed);
    }
    return {};
}

} // namespace

std::vector<Template> projectTemplates(const TemplateFolders& folders)
{
    std::vector<Template> all = templatesIn(folders.plain, Template::Kind::Plain);
    const std::size_t plain = all.size();
    for (Template& example : templatesIn(folders.examples, Template::Kind::Example))
        if (std::ranges::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(plain),
                                 [&](const Template& each) { return each.id == example.id; }))
            all.push_back(std::move(example));
    return all;
}

Result<Template> findTemplate(const TemplateFolders& folders, const std::string& id)
{
    std::string names;
    for (Template& each : projectTemplates(folders)) {
        if (each.id == id)
            return std::move(each);
        names += (names.empty() ? "" : ", ") + each.id;
    }
    return Error{ Errc::NotFound, "no template is called '" + id + "'; there are: " + names };
}

Result<NewPlace> placeOf(const NewProject& project)
{
    if (auto checked = checkName(project.name); !checked)
        return std::move(checked.error());
    const auto folder = absoluteFolder(project.folder);
    if (!folder)
        return folder.error();
    NewPlace place;
    place.folder = *folder;
    place.graph = *folder / (project.name + std::string(kGraphEnding));
    std::error_code failed;
    fs::path there = *folder;
    for (; !fs::exists(there, failed) && there != there.parent_path(); there = there.parent_path())
        place.made.insert(place.made.begin(), there.filename().string());
    if (!fs::is_directory(there, failed))
        return Error{ Errc::InvalidArgument,
                      there.string() + " is a file, not a folder: choose another place" };
    if (::access(there.c_str(), W_OK | X_OK) != 0)
        return Error{ Errc::PermissionDenied,
                      "you may not write to " + there.string() + ": choose another place" };
    if (const std::vector<fs::path> graphs = graphFiles(*folder); !graphs.empty())
        return Error{ Errc::Exists,
                      folder->string() + " holds a project already (" + graphs.front().filename().string()
                          + "): open that, or choose another place" };
    return place;
}

Result<ProjectPaths> createProject(const NewProject& project, const Template& from)
{
    const auto place = placeOf(project);
    if (!place)
        return place.error();
    const auto files = filesOf(from);
    if (!files)
        return files.error();
    Made made;
    if (auto folder = made.makeFolder(place->folder); !folder)
        return std::move(folder.error());
    if (auto copied = copyFiles(from, *files, place->folder, made); !copied)
        return std::move(copied.error());
    graph::Graph graph = from.graph;
    graph.name = project.name;
    ProjectPaths paths;
    paths.folder = place->folder;
    paths.graph = place->graph;
    if (auto saved = saveGraphText(paths, graph::graphText(graph), {}); !saved)
        return std::move(saved.error());
    made.keep();
    return locateProject(place->graph);
}

Result<ProjectPaths> copyProject(const fs::path& folder, const fs::path& parent)
{
    const auto there = locateProject(folder);
    if (!there)
        return there;
    if (there->graph.empty())
        return Error{ Errc::NotFound, folder.string() + " holds no graph that could be copied" };
    auto file = graph::loadGraph(there->graph);
    if (!file)
        return std::move(file.error());
    if (!file->skipped.empty())
        return Error{ Errc::InvalidArgument, there->graph.string() + " is too broken to be copied" };
    const auto target = absoluteFolder(parent);
    if (!target)
        return target.error();
    Template from;
    from.folder = there->folder;
    from.graph = std::move(file->graph);
    const std::string name = freeName(*target, there->folder.filename().string());
    return createProject({ name, *target / name }, from);
}

std::string whyReadOnly(const ProjectPaths& project)
{
    std::error_code failed;
    const fs::path written = fs::is_directory(project.data, failed) ? project.data : project.folder;
    if (!fs::is_directory(written, failed) || ::access(written.c_str(), W_OK) == 0)
        return {};
    const bool isDisk = errno == EROFS;
    return (isDisk ? "the disk of " : "you may not write to ") + written.string()
        + (isDisk ? " can only be read" : "");
}

Result<fs::path> openableIn(const fs::path& folder)
{
    std::error_code failed;
    if (!fs::is_directory(folder, failed))
        return Error{ Errc::NotFound, folder.string() + " is no folder: it was moved or deleted" };
    if (!graphFiles(folder).empty())
        return folder;
    fs::path newest;
    fs::file_time_type newestTime{};
    std::size_t seen = 0;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(folder, options, failed), end; !failed && it != end;
         it.increment(failed)) {
        if (it.depth() >= kDeepestDatabase || it->path().filename() == "node_modules"
            || it->path().filename() == ".venv")
            it.disable_recursion_pending();
        if (++seen > kMostLooked)
            break;
        std::error_code ignored;
        const fs::file_time_type time = it->last_write_time(ignored);
        if ((newest.empty() || time > newestTime) && isDatabaseFile(it->path())) {
            newest = it->path();
            newestTime = time;
        }
    }
    if (!newest.empty())
        return newest;
    if (seen > kMostLooked)
        return Error{ Errc::NotFound,
                      folder.string() + ": none of its first " + std::to_string(kMostLooked)
                          + " files is a checkpoint database: open the database's own file" };
    if (!fs::exists(folder / "langgraph.json", failed))
        return Error{ Errc::NotFound,
                      folder.string()
                          + " holds neither a langgraph.json nor a graph of this program nor a "
                            "checkpoint database: choose another folder" };
    return Error{ Errc::NotFound,
                  folder.string()
                      + " keeps no checkpoint database. Save its graph with get_graph().to_json() and bring "
                        "it here with File, Import a LangGraph graph" };
}

std::string freeName(const fs::path& folder, const std::string& name)
{
    std::error_code failed;
    std::string free = name;
    for (int i = 2; i < kMostTries && fs::exists(folder / free, failed); ++i)
        free = name + "-" + std::to_string(i);
    return free;
}

} // namespace sg::projects
