#include "core/sandbox/bubblewrap/installed_python.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <vector>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

// Adds "numpy-2.4.6.dist-info" and the like for every package in a folder.
void addPackages(const fs::path& folder, std::vector<std::string>& to)
{
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string suffix = entry->path().extension().string();
        if (suffix == ".dist-info" || suffix == ".egg-info")
            to.push_back(entry->path().filename().string());
    }
}

// Searches the package folders of an installation: lib/python3.11/site-packages and the like.
void addPackagesBelow(const fs::path& lib, std::vector<std::string>& to)
{
    std::error_code error;
    for (fs::directory_iterator entry(lib, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().filename().string().starts_with("python3"))
            for (const char* name : { "site-packages", "dist-packages" })
                addPackages(entry->path() / name, to);
}

} // namespace

std::string installedPython(const fs::path& python)
{
    std::error_code error;
    const fs::path program =
        fs::canonical(python.empty() ? "/usr/bin/python3" : python / "bin/python3", error);
    struct stat state { };
    ::stat(program.c_str(), &state);
    utsname machine{};
    ::uname(&machine);
    std::vector<std::string> packages;
    if (python.empty()) {
        addPackagesBelow("/usr/lib", packages);
        addPackagesBelow("/usr/local/lib", packages);
    } else {
        addPackagesBelow(python / "lib", packages);
    }
    std::ranges::sort(packages);
    std::string text = std::string("bubblewrap ") + machine.machine + ' ' + program.filename().string() + ' '
        + std::to_string(state.st_size) + ' ' + std::to_string(state.st_mtim.tv_sec);
    for (const std::string& package : packages)
        text += '\n' + package;
    return text;
}

} // namespace sg::sandbox
