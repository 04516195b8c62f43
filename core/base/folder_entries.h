#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>

namespace sg {

// Calls `take` with the name of each entry of an open folder except "." and "..", in the file system's order,
// until it fails. The descriptor keeps its position. `path` is for errors.
Result<void> eachEntry(int folder, const std::string& path,
                       const std::function<Result<void>(const std::string& name)>& take);

} // namespace sg
