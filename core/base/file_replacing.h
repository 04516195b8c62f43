#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sg {

// Gets the present content (nullopt: no file) and says whether it may be replaced, or fails.
using MayReplace = std::function<Result<bool>(const std::optional<std::string>& there)>;

// Reads and replaces a file as one step for all processes that use this function: no two of them see the same
// content and both replace it. Other programs can interfere only for an instant. Writes atomically and
// returns whether it wrote. Waits a few seconds at most for other processes, then fails with Errc::Timeout.
// `limit` is the most bytes that the present content may have.
Result<bool> replaceFile(const std::filesystem::path& path, std::string_view content, std::size_t limit,
                         const MayReplace& mayReplace);

} // namespace sg
