#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <filesystem>
#include <string>

namespace sg::sandbox {

// The runner for a sandbox that sees no folder of this machine: 4 bytes length, big-endian, and a JSON object
// {relative path: text} of every Python file below the folder, with `more` of the same form.
Result<std::string> runnerBundle(const std::filesystem::path& folder, ValueMap more = {});

} // namespace sg::sandbox
