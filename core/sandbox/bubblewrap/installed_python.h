#pragma once

#include <filesystem>
#include <string>

namespace sg::sandbox {

// The interpreter that a sandbox gets (that of the virtual environment `python`; empty: the system's), this
// machine's kind, and the packages installed beside it, as one text.
std::string installedPython(const std::filesystem::path& python);

} // namespace sg::sandbox
