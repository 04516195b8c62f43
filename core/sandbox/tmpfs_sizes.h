#pragma once

#include "core/sandbox/sandbox.h"

#include <cstdint>

namespace sg::sandbox {

inline constexpr std::int64_t kSecretsSize = 1 << 20; // /run/secrets, beside the others

// How a sandbox's tmpfs are sized: together at most what the limits say and half its memory, because their
// pages count as memory. Never 0, which would mean no limit.
struct TmpfsSizes {
    std::int64_t session = 0;
    std::int64_t temporary = 0; // /tmp
    std::int64_t shared = 0; // /dev/shm
    std::int64_t data = 0; // /data, half of the rest where it is wanted
};
TmpfsSizes tmpfsSizes(const Limits& limits, bool sessionFolderBound, bool dataTmpfs = false);

} // namespace sg::sandbox
