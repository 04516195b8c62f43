#include "core/sandbox/runtime_folder.h"

#include "core/base/errno_error.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

// The folder must be ours and no link, or somebody may have prepared it.
Result<void> ensureFolder(const fs::path& path, mode_t mode)
{
    if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST)
        return errnoError(errno, "create folder " + path.string());
    struct stat found { };
    if (::lstat(path.c_str(), &found) != 0)
        return errnoError(errno, "look at folder " + path.string());
    if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return Error{ Errc::PermissionDenied,
                      path.string()
                          + " is not a folder that only this user can write to; remove it and try again" };
    return {};
}

} // namespace

fs::path runtimeFolderPath()
{
    if (::geteuid() == 0)
        return "/run/sandglass";
    const char* runtime = std::getenv("XDG_RUNTIME_DIR"); // NOLINT(concurrency-mt-unsafe): never changed here
    struct stat found { };
    if (runtime && *runtime == '/' && ::stat(runtime, &found) == 0 && found.st_uid == ::geteuid())
        return fs::path(runtime) / "sandglass";
    return "/tmp/sandglass-" + std::to_string(::geteuid());
}

Result<fs::path> runtimeFolder()
{
    fs::path base = runtimeFolderPath();
    const mode_t passable = ::geteuid() == 0 ? 0711 : 0700; // a sandbox's user must be able to pass
    if (auto made = ensureFolder(base, passable); !made)
        return std::move(made.error());
    return base;
}

} // namespace sg::sandbox
