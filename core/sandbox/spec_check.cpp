#include "core/sandbox/spec_check.h"

#include "core/base/errno_error.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    return value == nullptr ? std::string() : std::string(value);
}

// Whoever reaches one of these sockets has this machine; whether they are there now does not matter.
std::vector<fs::path> engineSockets()
{
    std::vector<fs::path> sockets{ "/run/docker.sock", "/var/run/docker.sock", "/run/podman/podman.sock",
                                   "/run/containerd/containerd.sock" };
    if (const std::string runtime = environment("XDG_RUNTIME_DIR"); !runtime.empty())
        sockets.insert(sockets.end(),
                       { fs::path(runtime) / "docker.sock", fs::path(runtime) / "podman/podman.sock" });
    for (const char* name : { "DOCKER_HOST", "CONTAINER_HOST" })
        if (const std::string host = environment(name); host.starts_with("unix://"))
            sockets.emplace_back(host.substr(7));
    return sockets;
}

// Whether `folder` is that file or folder, or one above it; both as they really lie.
bool holds(const fs::path& folder, const fs::path& file)
{
    std::error_code error;
    const fs::path place = fs::weakly_canonical(file, error);
    return std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first == folder.end();
}

// Read-only does not help: a socket can be spoken to, and keys can be read.
Result<void> checkExposure(const fs::path& host, const std::string& inside)
{
    std::error_code error;
    const fs::path real = fs::canonical(host, error);
    const auto refuse = [&](const std::string& why) {
        return Error{ Errc::InvalidArgument,
                      host.string() + " must not be " + inside + " in a sandbox: " + why
                          + ". Name a folder of its own for what the sandbox may see" };
    };
    if (error)
        return errnoError(error.value(), host.string());
    if (fs::is_socket(real, error))
        return refuse("it is a socket of this machine");
    for (const fs::path& socket : engineSockets())
        if (holds(real, socket))
            return refuse("it holds the container engine's socket " + socket.string()
                          + ", and with that this machine");
    if (const std::string home = environment("HOME"); fs::path(home).is_absolute() && holds(real, home))
        return refuse("it holds the home folder " + home + " with its keys");
    return {};
}

Result<void> checkMount(const Mount& mount)
{
    std::error_code error;
    if (!fs::exists(mount.host, error))
        return Error{ Errc::NotFound,
                      mount.host.string() + " is to be " + mount.inside
                          + " in the sandbox, but is not there" };
    if (auto checked = checkExposure(mount.host, mount.inside); !checked)
        return checked;
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
    if (!spec.sessionFolder.empty())
        if (auto checked = checkExposure(spec.sessionFolder, "/session"); !checked)
            return checked;
    for (const Mount& mount : spec.mounts)
        if (auto checked = checkMount(mount); !checked)
            return checked;
    return checkLimits(spec.limits);
}

} // namespace sg::sandbox
