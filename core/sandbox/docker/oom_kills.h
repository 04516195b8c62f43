#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sg::sandbox {

// Counts the processes that were killed at the memory limit of a container on this machine, by its control
// group: for engines that report no event (Podman). `process`: a host pid of the container; nullopt: it is
// another's by now, or the kernel does not count. `root` is "/" except in tests.
std::optional<std::int64_t> oomKillsOf(pid_t process, const std::string& container,
                                       const std::filesystem::path& root = "/");

} // namespace sg::sandbox
