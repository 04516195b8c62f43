#pragma once

#include "core/base/value.h"

#include <filesystem>

namespace sg::conformance {

// Runs a case (README.md) on a database of its own in `folder` and returns its trace.
Value runCase(const Value& description, const std::filesystem::path& folder);

} // namespace sg::conformance
