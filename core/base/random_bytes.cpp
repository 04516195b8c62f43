#include "core/base/random_bytes.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

namespace sg {

void fillRandomBytes(void* target, std::size_t count)
{
    auto* at = static_cast<unsigned char*>(target);
    while (count > 0) {
        const ssize_t got = ::getrandom(at, count, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            std::abort(); // a kernel without getrandom: no id or secret would be safe
        at += got;
        count -= static_cast<std::size_t>(got);
    }
}

} // namespace sg
