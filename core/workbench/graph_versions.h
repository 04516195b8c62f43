#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace sg::workbench {

// The text of a file as git has it at `revision` ("HEAD", a branch, a commit). Nothing of the repository is
// executed. Errc::NotFound where there is no git, no repository, or the revision has no such file.
Result<std::string> committedText(const std::filesystem::path& file, const std::string& revision);

} // namespace sg::workbench
