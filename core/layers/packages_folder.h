#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace sg::layers {

struct FolderSize {
    std::int64_t bytes = 0;
    std::int64_t files = 0;
};

// Makes a folder that a sandbox filled this program's own and at most readable for others. It may hold files,
// folders and links without special bits. No link is followed. Errc::Corrupt: it holds something else.
Result<FolderSize> takeOver(const std::filesystem::path& folder);

// Measures a folder while it is being filled. Unreadable entries count as nothing.
FolderSize sizeOf(const std::filesystem::path& folder);

} // namespace sg::layers
