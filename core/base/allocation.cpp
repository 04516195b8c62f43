#include "core/base/allocation.h"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sg {

void keepFreedMemory()
{
#ifdef __GLIBC__
    // NOLINTBEGIN(concurrency-mt-unsafe): a program's first call, before it has threads
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    // NOLINTEND(concurrency-mt-unsafe)
#endif
}

} // namespace sg
