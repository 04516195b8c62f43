#pragma once

#include "core/base/value.h"

#include <string>

namespace sg::conformance {

// json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) and a newline: how traces are written.
std::string traceText(const Value& trace);
std::string sortKey(const Value& value); // json.dumps(value, sort_keys=True)

} // namespace sg::conformance
