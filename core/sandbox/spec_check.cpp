#include "core/sandbox/spec_check.h"

#include "core/base/errno_error.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    return value == nullptr ? std::string() : std::string(value);
}

// Access to one of these sockets gives control of this machine, even if it is created only later.
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

// Home folders, by the environment and by the account database.
std::vector<fs::path> homes()
{
    std::vector<fs::path> found{ environment("HOME") };
    std::array<char, 4096> text{};
    passwd entry{};
    passwd* account = nullptr;
    if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &account) == 0 && account != nullptr)
        found.emplace_back(account->pw_dir);
    std::erase_if(found, [](const fs::path& home) { return !home.is_absolute() || home == "/"; });
    return found;
}

// Folders in which this user's programs keep keys, this program's secrets included.
std::vector<fs::path> keyFolders()
{
    std::vector<fs::path> folders;
    for (const fs::path& home : homes())
        for (const char* name : { ".config/sandglass/secrets", ".local/share/keyrings", ".config/gcloud",
                                  ".azure", ".docker", ".kube", ".password-store" })
            folders.push_back(home / name);
    if (const fs::path config = environment("XDG_CONFIG_HOME"); config.is_absolute())
        folders.push_back(config / "sandglass/secrets");
    if (const fs::path data = environment("XDG_DATA_HOME"); data.is_absolute())
        folders.push_back(data / "keyrings");
    return folders;
}

constexpr std::array<std::string_view, 3> kKeyNames{ ".ssh", ".gnupg", ".aws" }; // of any user
constexpr const char* kSessionFolder = "/session"; // inside
constexpr std::string_view kProjectData = ".sandglass"; // a project's own: keys of addresses, secrets, states

// True where `folder` is that file or folder, or one above it; compares real paths.
bool holds(const fs::path& folder, const fs::path& file)
{
    std::error_code error;
    const fs::path place = fs::weakly_canonical(file, error);
    return std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first == folder.end();
}

bool liesBelow(const fs::path& real, std::string_view name)
{
    return std::ranges::find(real, fs::path(name)) != real.end();
}

// Returns why no sandbox may have the folder; empty: it may.
std::string keysIn(const fs::path& real)
{
    std::error_code error;
    for (const fs::path& keys : keyFolders()) {
        const fs::path place = fs::weakly_canonical(keys, error);
        if (!place.empty() && holds(place, real)) // empty: it cannot be resolved
            return "it lies in " + keys.string() + ", where keys are kept";
        if (holds(real, keys))
            return "it holds " + keys.string() + ", where keys are kept";
    }
    for (const std::string_view name : kKeyNames)
        if (liesBelow(real, name))
            return "it lies in a folder " + std::string(name) + ", where keys are kept";
    return {};
}

// Stricter for mounts: in the session's own folder code may have made such names itself.
std::string ownersDataIn(const fs::path& real)
{
    std::error_code error;
    if (liesBelow(real, kProjectData))
        return "it lies in a folder .sandglass, where a project keeps its own data and keys";
    for (const std::string_view name : { kKeyNames[0], kKeyNames[1], kKeyNames[2], kProjectData })
        if (fs::exists(real / name, error))
            return "it holds a folder " + std::string(name) + ", where keys are kept";
    return {};
}

// Read-only does not help: sockets can be connected to, and keys can be read.
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
    for (const fs::path& home : homes())
        if (holds(real, home))
            return refuse("it holds the home folder " + home.string() + " with its keys");
    std::string keys = keysIn(real);
    if (keys.empty() && inside != kSessionFolder)
        keys = ownersDataIn(real);
    return keys.empty() ? Result<void>() : refuse(keys);
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
    constexpr std::int64_t kLeastMemory = 32 << 20; // twice what the runner and its interpreter need
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
        if (auto checked = checkExposure(spec.sessionFolder, kSessionFolder); !checked)
            return checked;
    for (const Mount& mount : spec.mounts)
        if (auto checked = checkMount(mount); !checked)
            return checked;
    return checkLimits(spec.limits);
}

} // namespace sg::sandbox
