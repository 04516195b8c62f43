#pragma once

#include "core/base/result.h"
#include "core/sessions/snapshot.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sessions {

// Stores one piece under a name, the hash of its bytes.
using KeepPiece = std::function<Result<void>(const std::string& name, std::string_view bytes)>;
using LoadPiece = std::function<Result<std::string>(const std::string& name)>;

// A file map is stored as a list of pieces. Where a piece ends depends only on the paths in it, so that maps
// that differ little share most of their pieces.
Result<std::vector<std::string>> keepFileMap(const FileMap& files, const KeepPiece& keep);
Result<FileMap> loadFileMap(const std::vector<std::string>& pieces, const LoadPiece& load);

} // namespace sg::sessions
