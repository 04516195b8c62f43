#pragma once

#include "core/base/value.h"

namespace sg {

// Returns the RFC 6902 JSON patch that turns `from` into `to`: [{"op": "add" | "remove" | "replace", "path",
// "value"}], to be applied in order. It is empty if both are equal; a number that changes its kind (1, 1.0)
// counts as changed. Keys that are no strings appear in paths as their JSON text. Lists are compared by their
// common beginning and end, so the patch of a changed middle need not be the shortest. Exts are compared by
// their bytes.
Value jsonPatch(const Value& from, const Value& to);

} // namespace sg
