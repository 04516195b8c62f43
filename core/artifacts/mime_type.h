#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sg::artifacts {

inline constexpr std::size_t kMimeBytes = 4096; // how much of a file's beginning is worth giving

// What the name's extension says, where the first bytes agree; else what the bytes show: a ".png" that holds
// a program must not be taken for a picture. "application/octet-stream" where nothing is known.
std::string mimeType(std::string_view name, std::string_view firstBytes);

} // namespace sg::artifacts
