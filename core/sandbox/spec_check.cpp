#include "core/sandbox/spec_check.h"

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

Result<void> checkMount(const Mount& mount)
{
    std::error_code error;
    if (!fs::exists(mount.host, error))
        return Error{ Errc::NotFound,
                      mount.host.string() + " is to be " + mount.inside
                          + " in the sandbox, but is not there" };
    const fs::path inside = mount.inside;
    if (!inside.is_absolute() || inside != inside.lexically_normal())
        return Error{ Errc::InvalidArgument,
                      "a mount point must be a plain absolute path, not " + mount.inside };
    return {};
}

Result<void> checkLimits(const Limits& limits)
{
    constexpr std::int64_t kLeastMemory = 32 << 20; // the runner and its interpreter need about half of that
    constexpr std::int64_t kLeastPids = 8;
    const auto refuse = [](const std::string& what) {
        return Error{ Errc::InvalidArgument, "sandbox limits: " + what };
    };
    if (limits.memoryBytes < kLeastMemory)
        return refuse("memory must be at least 32 MiB, not " + std::to_string(limits.memoryBytes) + " bytes");
    if (limits.tmpfsBytes <= 0)
        return refuse("the size of tmpfs must be positive, not " + std::to_string(limits.tmpfsBytes));
    if (limits.pids < kLeastPids)
        return refuse("at least 8 processes are needed, not " + std::to_string(limits.pids));
    if (!(limits.cpus >= 0.01))
        return refuse("at least 0.01 CPUs are needed, not " + std::to_string(limits.cpus));
    if (limits.openFiles < 64)
        return refuse("at least 64 open files are needed, not " + std::to_string(limits.openFiles));
    return {};
}

} // namespace

Result<void> checkSpec(const SandboxSpec& spec)
{
    std::error_code error;
    if (!fs::is_regular_file(spec.runnerFolder / "start.py", error))
        return Error{ Errc::NotFound,
                      (spec.runnerFolder / "start.py").string()
                          + ": the sandbox's runner is not there; install Sandglass again" };
    if (!spec.sessionFolder.empty() && !fs::is_directory(spec.sessionFolder, error))
        return Error{ Errc::NotFound, spec.sessionFolder.string() + ": the session's folder is not there" };
    for (const Mount& mount : spec.mounts)
        if (auto checked = checkMount(mount); !checked)
            return checked;
    return checkLimits(spec.limits);
}

} // namespace sg::sandbox
