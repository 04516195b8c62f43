#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sg {

// Reads a whole regular file of at most `limit` bytes (Errc::InvalidArgument above it).
Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit = 256U << 20);

// Writes a temporary file in the same folder, then fsync, rename and fsync of the folder: after a crash or a
// full disk the file holds all of the old content or all of the new. An existing file keeps its mode.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content);

} // namespace sg
