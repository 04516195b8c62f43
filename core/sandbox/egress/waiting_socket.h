#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

struct sockaddr;

namespace sg::sandbox::egress {

// Waits on sockets that do not block. `stop` is a descriptor that becomes readable when all is to end:
// Errc::Cancelled; past the deadline: Errc::Timeout; a peer that is gone: Errc::Unavailable.

Result<void> waitFor(int socket, short events, int stop, SteadyTime deadline);
// At least one byte, 0 at the end.
Result<std::size_t> readSome(int socket, char* buffer, std::size_t size, int stop, SteadyTime deadline);
Result<void> writeAll(int socket, std::string_view bytes, int stop, SteadyTime deadline);
// Connected within the deadline, close-on-exec, non-blocking; a descriptor that the caller owns.
Result<int> connectTo(const sockaddr* address, std::size_t size, int stop, SteadyTime deadline);

} // namespace sg::sandbox::egress
