#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sg {

// Looks at what stands in a file (none: there is no file) and says whether it may be written over. An error
// is handed on.
using MayReplace = std::function<Result<bool>(const std::optional<std::string>& there)>;

// Looking and writing as one step for all processes that write by this: no two of them see the same content
// and both replace it. Other programs know nothing of it; they have no more than an instant to come between.
// Writes atomically; returns whether it wrote. Waits a few seconds at most for others, Errc::Timeout after
// that. `limit`: bytes of what stands there.
Result<bool> replaceFile(const std::filesystem::path& path, std::string_view content, std::size_t limit,
                         const MayReplace& mayReplace);

} // namespace sg
