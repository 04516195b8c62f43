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
    AnswerOnly, // from outside to inside; bytes from inside are not read
};

enum class RelayWay { Out, In }; // out of the sandbox, into it
// Told of bytes before they are passed on. False: they are not.
using RelayCount = std::function<bool(RelayWay way, std::int64_t bytes)>;

// Passes bytes on until both sides have ended, one breaks, nothing comes for `idle`, `stop` is readable, or
// `count` returns false. The end of one side is passed on to the other.
void relayBytes(const RelayEnds& ends, RelayMode mode, Millis idle, const RelayCount& count);

} // namespace sg::sandbox::egress
