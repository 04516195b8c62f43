#pragma once

#include <cstdint>

namespace sg::sessions {

// The room that a folder takes, whose owner may try to hide some of it.
struct FolderSize {
    std::int64_t bytes = 0; // blocks of files and folders, and 512 bytes for each entry
    bool isWhole = true; // false: part of it could not be measured, so that it may hold any amount
};

// Walks the folder without following links. It measures at most a million entries, 200 folders deep, and only
// folders that this user may read: code that wants to be measured has no need for more.
FolderSize folderSize(int folder);

} // namespace sg::sessions
