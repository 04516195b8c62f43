#pragma once

#include "core/sandbox/egress/egress_connection.h"

#include <string>

namespace sg::sandbox::egress {

// A complete answer by the proxy itself. Code and agents can read why, and that a retry does not help.
std::string egressAnswer(int status, const std::string& why);
// "api.test:443, *.example.com:443"
std::string reachableText(const EgressPolicy& policy);

} // namespace sg::sandbox::egress
