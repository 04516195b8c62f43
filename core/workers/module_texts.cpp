#include "core/workers/module_texts.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/relative_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace sg::workers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000;
constexpr std::size_t kMostBytes = 16U << 20U;

Result<void> readFolder(const sessions::ModuleFolder& folder, std::vector<ModuleText>& texts,
                        std::size_t& bytes)
{
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder.folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        if (at->path().filename() == "__pycache__") {
            at.disable_recursion_pending();
            continue;
        }
        if (!at->is_regular_file(failed) || at->is_symlink(failed))
            continue;
        auto text = readFile(at->path(), kMostBytes);
        if (!text)
            return std::move(text.error());
        bytes += text->size();
        if (texts.size() >= kMostFiles || bytes > kMostBytes)
            return Error{
                Errc::LimitExceeded,
                "the folder '" + folder.name
                    + "' has more modules than go to a worker with a task: 2000 files, 16 MiB. Put them "
                      "into the role's image or requirements"
            };
        texts.push_back({ folder.name, fs::relative(at->path(), folder.folder, failed).generic_string(),
                          std::move(*text) });
    }
    if (failed)
        return Error{ Errc::Io, "read " + folder.folder.string() + ": " + failed.message() };
    return {};
}

std::string digestOf(const std::vector<ModuleText>& modules)
{
    Sha256 hash;
    for (const ModuleText& each : modules)
        for (const std::string* part : { &each.folder, &each.path, &each.text }) {
            hash.update(std::to_string(part->size()) + ":");
            hash.update(*part);
        }
    return hash.finishHex();
}

Result<void> writeText(const fs::path& folder, const ModuleText& module)
{
    const auto inFolder = RelativePath::parse(module.folder);
    const auto path = RelativePath::parse(module.path);
    if (!inFolder || !path)
        return Error{ Errc::Corrupt, "a task names a module that is no file below its folder" };
    const fs::path file = folder / inFolder->text() / path->text();
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    return writeFileAtomically(file, module.text);
}

Result<sessions::ModuleFolder> folderAt(const fs::path& root, const std::string& name)
{
    struct stat found { };
    const fs::path folder = root / name;
    if (::stat(folder.c_str(), &found) != 0)
        return Error{ Errc::Io, "a folder of modules is gone: " + folder.string() };
    return sessions::ModuleFolder{ name, folder, found.st_dev, found.st_ino };
}

} // namespace

Result<std::vector<ModuleText>> readModules(const std::vector<sessions::ModuleFolder>& folders)
{
    std::vector<ModuleText> texts;
    std::size_t bytes = 0;
    for (const sessions::ModuleFolder& folder : folders)
        if (auto read = readFolder(folder, texts, bytes); !read)
            return std::move(read.error());
    std::ranges::sort(texts, {}, [](const ModuleText& each) { return std::pair(each.folder, each.path); });
    return texts;
}

Result<std::vector<sessions::ModuleFolder>> writeModules(const std::vector<ModuleText>& modules,
                                                         const fs::path& folder)
{
    std::vector<sessions::ModuleFolder> folders;
    if (modules.empty())
        return folders;
    const fs::path place = folder / digestOf(modules);
    std::error_code failed;
    if (!fs::exists(place, failed)) {
        const fs::path fresh = place.string() + ".new-" + std::to_string(::getpid());
        fs::remove_all(fresh, failed);
        for (const ModuleText& module : modules)
            if (auto written = writeText(fresh, module); !written)
                return std::move(written.error());
        fs::rename(fresh, place, failed);
        if (failed && !fs::exists(place))
            return Error{ Errc::Io, "write " + place.string() + ": " + failed.message() };
    }
    std::vector<std::string> names;
    for (const ModuleText& module : modules)
        if (std::ranges::find(names, module.folder) == names.end())
            names.push_back(module.folder);
    for (const std::string& name : names) {
        auto found = folderAt(place, name);
        if (!found)
            return std::move(found.error());
        folders.push_back(std::move(*found));
    }
    return folders;
}

} // namespace sg::workers
