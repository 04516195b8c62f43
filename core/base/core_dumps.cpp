#include "core/base/core_dumps.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdlib>
#include <string_view>

namespace sg {

void refuseCoreDumps()
{
    const char* asked = std::getenv("SANDGLASS_CORE_DUMPS"); // NOLINT(concurrency-mt-unsafe): one thread yet
    if (asked != nullptr && std::string_view(asked) == "1")
        return;
    // A program in core_pattern gets the image whatever the limit is; only the flag prevents that.
    const rlimit none{ 0, 0 };
    static_cast<void>(::setrlimit(RLIMIT_CORE, &none));
    static_cast<void>(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

} // namespace sg
