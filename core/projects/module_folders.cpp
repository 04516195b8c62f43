#include "core/projects/module_folders.h"

#include "core/base/errno_error.h"
#include "core/base/file.h"
#include "core/base/relative_path.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace sg::projects {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 10'000;
constexpr std::size_t kMostModule = 4U << 20;

// Resolves links: the folder that is bound into a sandbox must not lead elsewhere.
Result<sessions::ModuleFolder> moduleFolder(const std::string& name, const fs::path& project)
{
    auto path = RelativePath::parse(name);
    if (!path)
        return std::move(path.error());
    std::error_code error;
    const fs::path root = fs::canonical(project, error);
    const fs::path real = error ? fs::path() : fs::canonical(root / path->text(), error);
    if (error)
        return Error{ Errc::NotFound,
                      "there is no folder " + name + "; create it or take it out of the list" };
    const fs::path inside = real.lexically_relative(root);
    if (inside.empty() || *inside.begin() == ".." || inside == ".")
        return Error{ Errc::PermissionDenied, name + " is a link that leads out of " + root.string() };
    if (std::ranges::any_of(inside, [](const fs::path& part) { return part.string().starts_with('.'); }))
        return Error{ Errc::PermissionDenied,
                      name + " lies in a hidden folder, where keys may be; sandboxes are shown none" };
    struct stat info { };
    if (::stat(real.c_str(), &info) != 0)
        return errnoError(errno, real.string());
    if (!S_ISDIR(info.st_mode))
        return Error{ Errc::InvalidArgument, name + " is no folder" };
    return sessions::ModuleFolder{ path->text(), real, info.st_dev, info.st_ino };
}

} // namespace

Result<std::vector<sessions::ModuleFolder>> moduleFolders(const graph::Graph& graph, const fs::path& project)
{
    std::vector<sessions::ModuleFolder> folders;
    const auto add = [&](sessions::ModuleFolder folder) {
        if (std::ranges::find(folders, folder.name, &sessions::ModuleFolder::name) == folders.end())
            folders.push_back(std::move(folder));
    };
    if (auto nodes = moduleFolder("nodes", project))
        add(std::move(*nodes));
    if (!graph.sandbox.python)
        if (auto library = moduleFolder("lib", project))
            add(std::move(*library));
    for (const std::string& name : graph.sandbox.python.value_or(std::vector<std::string>())) {
        auto folder = moduleFolder(name, project);
        if (!folder)
            return std::move(folder.error()).during("/sandbox/python of the graph file");
        add(std::move(*folder));
    }
    return folders;
}

Result<std::vector<std::pair<std::string, std::string>>>
moduleFiles(const std::vector<sessions::ModuleFolder>& folders)
{
    std::vector<std::pair<std::string, std::string>> files;
    for (const sessions::ModuleFolder& folder : folders) {
        const auto first = static_cast<std::ptrdiff_t>(files.size());
        std::error_code error;
        fs::recursive_directory_iterator entry(folder.folder, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            const fs::path& path = entry->path();
            const std::string name = path.filename().string();
            if (entry->is_symlink() || name.starts_with('.') || name == "__pycache__") {
                entry.disable_recursion_pending();
                continue;
            }
            if (path.extension() != ".py" || !entry->is_regular_file())
                continue;
            if (files.size() == kMostFiles)
                return Error{ Errc::LimitExceeded,
                              "the folders of modules hold more than 10000 Python files" };
            auto text = readFile(path, kMostModule);
            if (!text)
                return std::move(text.error());
            files.emplace_back(folder.name + "/" + path.lexically_relative(folder.folder).generic_string(),
                               std::move(*text));
        }
        if (error)
            return errnoError(error.value(), folder.folder.string());
        std::sort(files.begin() + first, files.end());
    }
    return files;
}

} // namespace sg::projects
