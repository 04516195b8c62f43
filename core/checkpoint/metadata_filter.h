#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

using MetadataFilter = std::vector<std::pair<std::string, Value>>;

// LangGraph allows letters, digits, '_', '.' and '-' in keys; others give Errc::InvalidArgument.
Result<void> checkFilterKeys(const MetadataFilter& filter);

// Compares as SQLite's json_extract(metadata, '$.key') does: a '.' goes one level down, true is 1, lists and
// maps are their compact text, null matches a missing key.
bool matchesMetadata(const MetadataFilter& filter, const CheckpointMetadata& metadata);

} // namespace sg::checkpoint
