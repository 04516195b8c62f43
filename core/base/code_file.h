#pragma once

#include "core/base/relative_path.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace sg {

// Reads a code file beneath the project folder. A link that leads out of the folder is refused
// (PermissionDenied). NotFound names file and folder. Unsupported: it is not UTF-8.
Result<std::string> readCodeFile(const std::filesystem::path& projectFolder, const RelativePath& file);

} // namespace sg
