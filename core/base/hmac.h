#pragma once

#include <string>
#include <string_view>

namespace sg {

std::string hmacSha256(std::string_view key, std::string_view message); // 32 raw bytes
// Compares in constant time for texts of one length.
bool isSameSecretly(std::string_view a, std::string_view b);

// These use RFC 4648 §5 without padding.
std::string toBase64Url(std::string_view bytes);
// False: the text is not exactly what toBase64Url() writes.
bool fromBase64Url(std::string_view text, std::string& bytes);

} // namespace sg
