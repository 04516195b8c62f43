#pragma once

#include "core/base/value.h"

#include <optional>
#include <string>

namespace sg::models {

// Tells why the value does not match a JSON Schema: "/age: 36.5 is no integer". nullopt: it matches. Regular
// expressions ("pattern", "patternProperties") and "unevaluated…" are not looked at, which validation of a
// graph says; "format" only describes. A schema that takes too long, or refers outside of itself, counts as
// one that does not match, and the text says so.
std::optional<std::string> schemaMismatch(const Value& schema, const Value& value);

} // namespace sg::models
