#pragma once

#include "core/sessions/session_spec.h"

#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// Looks these up now, and gives each of them once to who asks for it; who asks again gets what is stored by
// then. So what cannot be had is known before a sandbox is touched, and nobody is asked twice.
Result<SecretLookup> lookUpAhead(const std::vector<std::string>& names, const SecretLookup& find,
                                 const std::stop_token& stop);

} // namespace sg::sessions
