#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sg {

// Whole file, at most `limit` bytes (Errc::InvalidArgument above it). Only regular files.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit = 256U << 20);

// Temporary file beside the target, fsync, rename, fsync of the folder: after a crash or a full disk the old
// content or the new one stands there, whole. Keeps the mode of a file that exists.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content);

} // namespace sg
