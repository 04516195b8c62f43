#pragma once

#include "core/sandbox/sandbox.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sandbox {

inline constexpr std::string_view kSharedMemory = "/dev/shm";

// A folder that code may write to; besides devices such as /dev/null code can write nowhere else. It is a
// tmpfs without setuid files and devices or (size 0) the session's folder on this machine, whose growth is
// watched.
struct WritablePlace {
    std::string path;
    std::int64_t size = 0; // bytes
    const char* mode = "0700";
};

// All writable folders of a sandbox. The tmpfs together hold at most what the limits say and half of the
// memory, because their pages count as memory; /run/secrets (1 MiB) is extra.
std::vector<WritablePlace> writablePlaces(const SandboxSpec& spec);
std::vector<WritablePlace> writablePlaces(const Limits& limits, bool sessionFolderBound,
                                          bool dataTmpfs = false, bool secrets = false);
// The runner's option for those that no snapshot of a session has: "/dev/shm:/tmp".
std::string outsideOption(const std::vector<WritablePlace>& places);
std::int64_t sizeOf(const std::vector<WritablePlace>& places, std::string_view path); // 0: none

} // namespace sg::sandbox
