#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// Tells whether Python's standard library (3.9 to 3.13) has a module of that name.
bool isStandardModule(std::string_view name);

// Two modules have one name, so code can import only the first.
struct ModuleClash {
    std::string message; // for people
};
// Looks at the modules in these folders below `project`, in the order in which Python searches them; missing
// folders are skipped. `installed`: modules of packages, which Python finds last. Returns at most 20 clashes
// and reads 10,000 entries of each folder.
std::vector<ModuleClash> moduleClashes(const std::filesystem::path& project,
                                       const std::vector<std::string>& folders,
                                       const std::vector<std::string>& installed = {});

} // namespace sg::graph
