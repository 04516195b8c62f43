#include "core/sandbox/tmpfs_sizes.h"

#include <algorithm>

namespace sg::sandbox {
namespace {

constexpr std::int64_t kMaxShared = 64 << 20;
constexpr std::int64_t kLeast = 4096;

} // namespace

TmpfsSizes tmpfsSizes(const Limits& limits, bool sessionFolderBound, bool dataTmpfs)
{
    const std::int64_t total = std::max<std::int64_t>(std::min(limits.tmpfsBytes, limits.memoryBytes / 2), 0);
    TmpfsSizes sizes;
    sizes.shared = std::min(kMaxShared, total / 8);
    sizes.data = dataTmpfs ? (total - sizes.shared) / 2 : 0;
    const std::int64_t rest = total - sizes.shared - sizes.data;
    sizes.temporary = sessionFolderBound ? rest : rest / 4;
    sizes.session = sessionFolderBound ? 0 : rest - sizes.temporary;
    for (std::int64_t* size : { &sizes.session, &sizes.temporary, &sizes.shared, &sizes.data })
        *size = std::max(*size, kLeast);
    return sizes;
}

} // namespace sg::sandbox
