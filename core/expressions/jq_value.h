#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/expressions/libjq.h"

namespace sg::expressions {

// `value` must have passed checkJqInput().
jv toJv(const Value& value);

// Consumes `value`. Whole numbers within 2^53 become Int, NaN becomes null and an infinity the largest
// double, as jq prints them. More than 256 levels are an error.
Result<Value> fromJv(jv value);

} // namespace sg::expressions
