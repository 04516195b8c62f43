#pragma once

#include "core/base/value.h"

namespace sg {

// What makes `to` out of `from`, as an RFC 6902 JSON patch: [{"op": "add" | "remove" | "replace", "path",
// "value"}], to be applied in order. Empty where both are equal; a number that changes its kind (1, 1.0)
// counts as changed. Keys that are no strings stand in paths as their JSON text. A list is compared by what
// its beginning and its end share, so the patch of a changed middle need not be the shortest. Takes plain
// data: what is an Ext is compared by its bytes.
Value jsonPatch(const Value& from, const Value& to);

} // namespace sg
