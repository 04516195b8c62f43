#pragma once

#include "core/base/result.h"

#include <string>

namespace sg {

// Makes the error for a failed system call, with a code that callers branch on. `doing` says what was
// attempted: "write /home/a/run.json". For a full disk it adds what to do next.
Error errnoError(int number, const std::string& doing);

std::string errnoText(int number); // any thread

} // namespace sg
