#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sg::workers {

// The place of a Redis server: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or
// unix://[USER:PASSWORD@]/PATH[?db=DATABASE].
struct QueueAddress {
    std::string host; // empty: a unix socket
    std::uint16_t port = 6379;
    std::string socket; // its path
    std::string user;
    std::string password; // kept out of messages and logs
    int database = 0;

    // Returns the address without user and password, for messages.
    [[nodiscard]] std::string shown() const;
};

// Errc::InvalidArgument, in words that repeat no password; Unsupported: rediss://.
Result<QueueAddress> parseQueueAddress(std::string_view text);

// The name of a role or of a queue's namespace: 1 to 64 of a-z, 0-9, "_" and "-", as both become parts of
// keys.
bool isRoleName(std::string_view name);

} // namespace sg::workers
