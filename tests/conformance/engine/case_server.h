#pragma once

#include "core/base/value.h"

#include <filesystem>
#include <istream>
#include <ostream>

namespace sg::conformance {

// Performs a case's operations as they are asked for, while another program has the same database open. Each
// line is
// {"op": …, "runs": {path: count}, "failures": {path: count}}; the answer, one line too, is {"entry": …,
// "runs", "failures"}: the counts stand for the nodes' memory, which the programs share that way. Returns the
// exit code.
int serveCase(const Value& description, const std::filesystem::path& database, std::istream& in,
              std::ostream& out);

} // namespace sg::conformance
