#pragma once

#include "core/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace sg::sandbox {

// The folder for sockets: /run/sandglass where we are root, else $XDG_RUNTIME_DIR/sandglass, else
// /tmp/sandglass-UID. It is created where it is missing; Errc::PermissionDenied where another user could
// write to it.
Result<std::filesystem::path> runtimeFolder();
// Returns the same path, whether it exists or not.
std::filesystem::path runtimeFolderPath();

} // namespace sg::sandbox
