#pragma once

#include "app/cli/output.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace sg::cli {

// "http://127.0.0.1:8765", with brackets around an address of IPv6.
std::string webAddress(const std::string& address, bool isTls, std::uint16_t port);
// Says what is served, in JSON as {"serving", "port"}, and returns once it is stopped. `more` stands behind
// the address.
int serveUntilStopped(const std::string& url, std::uint16_t port, const std::string& said, const Output& out,
                      const std::stop_token& stop);

} // namespace sg::cli
