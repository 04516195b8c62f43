#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/expressions/libjq.h"

namespace sg::expressions {

// `value` has passed checkJqInput().
jv toJv(const Value& value);

// Whole numbers within 2^53 become Int; NaN becomes null and an infinity the largest double, as jq prints
// them. Consumes `value`. An error where it is nested deeper than 256 levels.
Result<Value> fromJv(jv value);

} // namespace sg::expressions
