#pragma once

#include "core/base/clock.h"
#include "core/base/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace sg::servers {

// A state that a client keeps for us until it calls again: readable, but of no use once it was changed, or is
// old.
//   text = base64url(JSON [SECONDS, value]) "." base64url(HMAC-SHA256(key, purpose, that text))
std::string sealed(std::string_view key, std::string_view purpose, const Value& value, WallTime expires);
// nullopt: it was not sealed by this key for this purpose, or it is too old.
std::optional<Value> unsealed(std::string_view key, std::string_view purpose, std::string_view text,
                              WallTime now);

} // namespace sg::servers
