#pragma once

#include "core/sessions/session_spec.h"

#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// Looks the secrets up now and returns a lookup that gives each of them once; asked a second time, it looks
// up what is stored by then. So a missing secret is known before a sandbox is touched, and nobody is prompted
// twice.
Result<SecretLookup> lookUpAhead(const std::vector<std::string>& names, const SecretLookup& find,
                                 const std::stop_token& stop);

} // namespace sg::sessions
