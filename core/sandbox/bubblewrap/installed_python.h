#pragma once

#include <filesystem>
#include <string>

namespace sg::sandbox {

// Identifies, as one text, the interpreter that a sandbox gets (of the virtual environment `python`; empty:
// the system's), the kind of machine, and the installed packages.
std::string installedPython(const std::filesystem::path& python);

} // namespace sg::sandbox
