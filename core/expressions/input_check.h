#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

namespace sg::expressions {

// Refuses values that jq would change, with their JSON pointer: integers beyond 2^53, bytes, extension types,
// map keys that are no strings, nesting beyond 256.
Result<void> checkJqInput(const Value& input);

} // namespace sg::expressions
