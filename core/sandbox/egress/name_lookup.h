#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sandbox/egress/host_rule.h"

#include <sys/socket.h>

#include <vector>

namespace sg::sandbox::egress {

struct FoundAddress {
    sockaddr_storage address{};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

// All addresses of a host, with its port, as this machine resolves it. An address is not resolved. The wait
// ends with `stop` or the deadline though the resolver goes on by itself. Errc::NotFound.
Result<std::vector<FoundAddress>> lookUp(const HostPort& place, int stop, SteadyTime deadline);

} // namespace sg::sandbox::egress
