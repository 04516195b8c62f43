#pragma once

#include "core/base/result.h"
#include "core/sessions/module_folder.h"
#include "core/workers/task_message.h"

#include <filesystem>
#include <vector>

namespace sg::workers {

// Reads the Python files of the project's folders of modules. Errc::LimitExceeded: they are too many or too
// large to be sent with each task.
Result<std::vector<ModuleText>> readModules(const std::vector<sessions::ModuleFolder>& folders);

// Writes them below `folder`, once for each set of texts. Names that lead out of it are refused
// (Errc::Corrupt).
Result<std::vector<sessions::ModuleFolder>> writeModules(const std::vector<ModuleText>& modules,
                                                         const std::filesystem::path& folder);

} // namespace sg::workers
