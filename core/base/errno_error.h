#pragma once

#include "core/base/result.h"

#include <string>

namespace sg {

// The error for a failed system call, mapped to the codes that callers branch on. `doing` names what was done
// to what: "write /home/a/run.json". Disk full gets its next step.
Error errnoError(int number, const std::string& doing);

std::string errnoText(int number); // any thread

} // namespace sg
