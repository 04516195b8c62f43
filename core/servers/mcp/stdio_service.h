#pragma once

#include "core/servers/mcp/offering.h"

#include <stop_token>
#include <string>

namespace sg::servers {

// Serves one client on two descriptors, a message a line, until the input ends or a stop. Nothing else may
// write to `output`.
Result<void> serveMcp(Offering& offering, const std::string& version, const std::string& thread, int input,
                      int output, const std::stop_token& stop);

} // namespace sg::servers
