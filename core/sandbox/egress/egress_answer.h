#pragma once

#include "core/sandbox/egress/host_rule.h"

#include <string>
#include <vector>

namespace sg::sandbox::egress {

// A whole answer of the proxy's own. Code, and agents, read why and that trying otherwise does not help.
std::string egressAnswer(int status, const std::string& why);
// "api.test:443, *.example.com:443"
std::string rulesText(const std::vector<EgressRule>& rules);

} // namespace sg::sandbox::egress
