#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace sg {

struct JsonLimits {
    std::size_t bytes = 256U << 20;
    std::size_t depth = 256;
};

// Parses JSON text (RFC 8259). Integers beyond 64 bits become Double; a duplicate key is an error. The error
// names line and column: "line 3, column 7: expected ':'".
Result<Value> parseJson(std::string_view text, const JsonLimits& limits = {});

// The position of each value by JSON pointer ("/nodes/0/name"; "" is the whole text), counted from 1.
struct JsonPosition {
    std::size_t line = 0;
    std::size_t column = 0;
};
struct JsonSource {
    Value value;
    std::map<std::string, JsonPosition, std::less<>> positions;
};
Result<JsonSource> parseJsonSource(std::string_view text, const JsonLimits& limits = {});

enum class JsonStyle {
    Compact, // {"a":1,"b":[1,2]}
    Spaced, // {"a": 1, "b": [1, 2]}, as Python's json.dumps
    Indented, // two spaces a level
};

// Always writes valid UTF-8 JSON: invalid bytes become U+FFFD, NaN and infinities null, Bytes {"$bytes":
// base64}, Ext {"$ext": code, "data": base64}, and keys that are no strings their JSON text.
std::string toJson(const Value& value, JsonStyle style = JsonStyle::Compact);

// Escapes one reference token of a JSON pointer (RFC 6901).
std::string jsonPointerToken(std::string_view key);

} // namespace sg
