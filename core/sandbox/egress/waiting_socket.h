#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

struct sockaddr;

namespace sg::sandbox::egress {

// Waits on non-blocking sockets. `stop` is a descriptor that becomes readable when all is to end:
// Errc::Cancelled; past the deadline: Errc::Timeout; the peer is gone: Errc::Unavailable.

Result<void> waitFor(int socket, short events, int stop, SteadyTime deadline);
// Reads at least one byte; 0 at the end.
Result<std::size_t> readSome(int socket, char* buffer, std::size_t size, int stop, SteadyTime deadline);
Result<void> writeAll(int socket, std::string_view bytes, int stop, SteadyTime deadline);
// Returns a connected socket, close-on-exec and non-blocking; the caller owns it.
Result<int> connectTo(const sockaddr* address, std::size_t size, int stop, SteadyTime deadline);

} // namespace sg::sandbox::egress
