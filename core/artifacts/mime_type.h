#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::artifacts {

inline constexpr std::size_t kMimeBytes = 4096; // more of a file's beginning is not looked at

// Returns the type of the extension if the first bytes agree, else the type that the bytes show: a ".png"
// that holds a program must not pass for a picture. Unknown content is "application/octet-stream".
std::string mimeType(std::string_view name, std::string_view firstBytes);

} // namespace sg::artifacts
