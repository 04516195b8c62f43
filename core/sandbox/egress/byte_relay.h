#pragma once

#include "core/base/clock.h"

#include <functional>

namespace sg::sandbox::egress {

struct RelayEnds {
    int inside = -1; // the sandbox's
    int outside = -1;
    int stop = -1;
};
enum class RelayMode {
    BothWays,
    AnswerOnly, // from outside to inside; what the inside says is no longer read
};

// Passes bytes on until both sides have ended, one breaks, nothing comes for `idle`, `stop` is readable, or
// `count` (of the bytes that are about to be passed on) says no. A side that has ended is told to the other.
void relayBytes(const RelayEnds& ends, RelayMode mode, Millis idle,
                const std::function<bool(std::int64_t)>& count);

} // namespace sg::sandbox::egress
