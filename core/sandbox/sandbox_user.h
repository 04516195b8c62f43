#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace sg::sandbox {

// The user as which a sandbox runs when we are root.
struct SandboxUser {
    uid_t uid = 0;
    gid_t gid = 0;
};

// Numbers without accounts, which Debian and systemd reserve for such uses.
inline constexpr uid_t kFirstFreeUid = 61184;
inline constexpr uid_t kLastFreeUid = 65519;

// The account of that name; if there is none, a number without an account.
SandboxUser findSandboxUser(const std::string& account);
bool isAccount(uid_t uid);

// Gives a folder and its content to the user, without following links.
Result<void> giveFolderTo(const std::filesystem::path& folder, SandboxUser user);
// Gives the spec's folders that are the sandbox's own: the session's, and mounts marked so.
Result<void> giveFoldersTo(const SandboxSpec& spec, SandboxUser user);

} // namespace sg::sandbox
