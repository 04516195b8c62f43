#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace sg::artifacts {

// A token opens one artifact until a given time:
//   token = base64url(ID "." SECONDS) "." base64url(HMAC-SHA256(key, ID "." SECONDS)), without padding
// SECONDS count since 1970 in UTC. Any deviation from this form is refused.

inline constexpr std::chrono::seconds kTokenTime{ 600 };
inline constexpr std::chrono::seconds kLongestTokenTime{ 900 };

std::string signToken(std::string_view key, const ArtifactId& id, WallTime expires);

enum class TokenFault { None, Format, Signature, Expired };
struct TokenCheck {
    TokenFault fault = TokenFault::Format;
    ArtifactId id; // for None
};
// Tokens that would live longer than kLongestTokenTime count as expired. A pure function.
TokenCheck checkToken(std::string_view key, std::string_view token, WallTime now);

// Accepts "art_" and 24 hex digits.
bool isArtifactId(std::string_view text);

// Returns the project's key: 32 random bytes in a file that only this user can read, made if it is missing.
// Errc::PermissionDenied: others could read it.
Result<std::string> tokenKey(const std::filesystem::path& file);

} // namespace sg::artifacts
