#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// Whether Python's standard library (3.9 to 3.13) has a module of that name.
bool isStandardModule(std::string_view name);

// Two modules of one name, of which code can import only the first.
struct ModuleClash {
    std::string message; // for people
};
// Of the modules in these folders below `project`, in the order in which they are searched; folders that are
// not there have none. At most 20, and of each folder's first 10,000 entries.
std::vector<ModuleClash> moduleClashes(const std::filesystem::path& project,
                                       const std::vector<std::string>& folders);

} // namespace sg::graph
