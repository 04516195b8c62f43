#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <functional>

namespace sg::artifacts::s3 {

// Calls `act` for 0 to count - 1 on so many threads, and returns once all calls have. After one that failed
// none begins; the first failure is returned.
Result<void> eachAtOnce(std::size_t count, std::size_t threads,
                        const std::function<Result<void>(std::size_t)>& act);

} // namespace sg::artifacts::s3
