#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

using MetadataFilter = std::vector<std::pair<std::string, Value>>;

// LangGraph's rule for keys: letters, digits, '_', '.', '-'; else Errc::InvalidArgument.
Result<void> checkFilterKeys(const MetadataFilter& filter);

// As SQLite's json_extract(metadata, '$.key') compares: a '.' goes one level down, true is 1, lists and maps
// are their compact text, null matches what is missing.
bool matchesMetadata(const MetadataFilter& filter, const CheckpointMetadata& metadata);

} // namespace sg::checkpoint
