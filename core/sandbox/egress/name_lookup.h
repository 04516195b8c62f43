#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/sandbox/egress/host_rule.h"

#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <vector>

namespace sg::sandbox::egress {

struct FoundAddress {
    sockaddr_storage address{};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

// Running resolvers of one session, including those that nobody waits for any more.
using LookupCount = std::shared_ptr<std::atomic<int>>;
inline constexpr int kMostLookups = 32;

// All addresses of a host as this machine resolves it, with its port; a literal address is not resolved. The
// wait ends with `stop` or the deadline, though the resolver goes on. Errc::NotFound; LimitExceeded: too many
// are running, or no thread can be started.
Result<std::vector<FoundAddress>> lookUp(const HostPort& place, int stop, SteadyTime deadline,
                                         const LookupCount& underWay);

} // namespace sg::sandbox::egress
