#pragma once

#include "core/sandbox/egress/egress_connection.h"

#include <string>

namespace sg::sandbox::egress {

// A whole answer of the proxy's own. Code, and agents, read why and that trying otherwise does not help.
std::string egressAnswer(int status, const std::string& why);
// "api.test:443, *.example.com:443"
std::string reachableText(const EgressPolicy& policy);

} // namespace sg::sandbox::egress
