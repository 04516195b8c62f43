#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sg::sessions {

// A folder of the project, mounted read-only, whose Python modules a session's code imports.
struct ModuleFolder {
    std::string name; // in the project, "lib"; inside it is mounted at insidePath()
    std::filesystem::path folder; // without links
    // Identifies the folder: a running sandbox does not see another one that takes its place.
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    [[nodiscard]] std::string insidePath() const { return "/opt/sandglass/modules/" + name; }
    friend bool operator==(const ModuleFolder&, const ModuleFolder&) = default;
};

// Two lists differ where their marks do; a running sandbox cannot change its list.
inline std::string modulesMark(const std::vector<ModuleFolder>& folders)
{
    std::string mark;
    for (const ModuleFolder& each : folders)
        mark += each.name + '=' + each.folder.string() + ' ' + std::to_string(each.device) + ':'
            + std::to_string(each.inode) + '\n';
    return mark;
}

// A module that code imported, and the SHA-256 of its text.
struct ImportedModule {
    std::string file; // in the project: "lib/models.py"
    std::string sha256;
};

} // namespace sg::sessions
