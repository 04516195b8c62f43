#pragma once

#include "core/base/value.h"

namespace sg::checkpoint {

// Exts as plain data, for JSON and people; what JSON has no number for is text: "NaN", "Infinity".
Value plain(const Value& value);

} // namespace sg::checkpoint
