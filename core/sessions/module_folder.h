#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sg::sessions {

// A folder of the project whose Python modules the code of a session imports, read-only.
struct ModuleFolder {
    std::string name; // in the project: "lib"; inside it stands at insidePath()
    std::filesystem::path folder; // without links
    std::uint64_t device =
        0; // which folder that is: another in its place is not seen by a sandbox that lives
    std::uint64_t inode = 0;
    [[nodiscard]] std::string insidePath() const { return "/opt/sandglass/modules/" + name; }
    friend bool operator==(const ModuleFolder&, const ModuleFolder&) = default;
};

// A module that code imported, and the SHA-256 of its text.
struct ImportedModule {
    std::string file; // in the project: "lib/models.py"
    std::string sha256;
};

} // namespace sg::sessions
