#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>

namespace sg::models {

// Why the value does not match a JSON Schema: "/age: 36.5 is no integer". Nothing: it matches. Looks at type,
// enum, const, properties, required, additionalProperties, items, the bounds of numbers, texts and lists,
// anyOf, oneOf, allOf, not, and $ref within the schema; other keywords are ignored. A schema that takes too
// long counts as one that does not match, and the text says so.
std::optional<std::string> schemaMismatch(const Value& schema, const Value& value);

} // namespace sg::models
