#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace sg::layers {

struct FolderSize {
    std::int64_t bytes = 0;
    std::int64_t files = 0;
};

// Makes a folder that a sandbox filled this program's own and no more than readable by others: files,
// folders and links alone, no special bits. No link is followed. Errc::Corrupt for anything else in it.
Result<FolderSize> takeOver(const std::filesystem::path& folder);

// What it holds so far, while it is being filled. What cannot be read counts nothing.
FolderSize sizeOf(const std::filesystem::path& folder);

} // namespace sg::layers
