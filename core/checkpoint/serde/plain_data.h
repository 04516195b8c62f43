#pragma once

#include "core/base/value.h"

namespace sg::checkpoint {

// Turns Exts into plain data for JSON and people, and numbers unknown to JSON into text: "NaN", "Infinity".
Value plain(const Value& value);

} // namespace sg::checkpoint
