#pragma once

#include "core/base/value.h"

#include <string>

namespace sg::conformance {

// Empty where a case (README.md) has the form that its readers take for granted; else what is wrong and
// where:
// "/graph/nodes/0/name must be a text".
std::string problemOfCase(const Value& description);

} // namespace sg::conformance
