#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <optional>
#include <string>

namespace sg::expressions {

// Refuses values that jq would change, with their JSON pointer: integers beyond 2^53, bytes, extension types,
// map keys that are no strings, nesting beyond 256.
Result<void> checkJqInput(const Value& input);
// Does the same for a program. Fields of the input that do not fit and that the program does not read are no
// error: it returns the input without them. nullopt: it can be given as it is.
Result<std::optional<Value>> fittedJqInput(const std::string& program, const Value& input);

} // namespace sg::expressions
