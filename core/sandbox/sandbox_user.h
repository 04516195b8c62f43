#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace sg::sandbox {

// The user a sandbox runs as when we are root.
struct SandboxUser {
    uid_t uid = 0;
    gid_t gid = 0;
};

// Numbers that no account has: Debian and systemd leave them to such uses.
inline constexpr uid_t kFirstFreeUid = 61184;
inline constexpr uid_t kLastFreeUid = 65519;

// The account of that name; without one a number that no account has.
SandboxUser findSandboxUser(const std::string& account);
bool isAccount(uid_t uid);

// Gives a folder and what is in it to the user, never following links.
Result<void> giveFolderTo(const std::filesystem::path& folder, SandboxUser user);
// Those of a spec that are the sandbox's own: the session's, and mounts that say so.
Result<void> giveFoldersTo(const SandboxSpec& spec, SandboxUser user);

} // namespace sg::sandbox
