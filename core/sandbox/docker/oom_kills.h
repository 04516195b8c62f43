#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sg::sandbox {

// Processes that were ended at the memory limit of a container on this machine, as its control group counts
// them: for engines that tell no event (Podman). `process`: any of the container's, as this machine counts;
// nothing where that process is another's, or the kernel does not count. `root` is "/" but in tests.
std::optional<std::int64_t> oomKillsOf(pid_t process, const std::string& container,
                                       const std::filesystem::path& root = "/");

} // namespace sg::sandbox
