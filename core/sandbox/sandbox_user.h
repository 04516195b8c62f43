#pragma once

#include "core/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace sg::sandbox {

// The user a sandbox runs as when we are root.
struct SandboxUser {
    uid_t uid = 0;
    gid_t gid = 0;
};

// The account of that name; without one a number that no account has.
SandboxUser findSandboxUser(const std::string& account);

// Gives a folder and what is in it to the user, never following links.
Result<void> giveFolderTo(const std::filesystem::path& folder, SandboxUser user);

} // namespace sg::sandbox
