#include "core/workbench/thread_lock.h"

#include "core/base/hash.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::workbench {
namespace {

// A folder of this user's own; another user's file there would be refused by the O_NOFOLLOW and owner checks.
fs::path lockFolder()
{
    const char* runtime =
        std::getenv("XDG_RUNTIME_DIR"); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    if (runtime != nullptr && *runtime == '/')
        return fs::path(runtime) / "sandglass";
    return fs::path("/tmp") / ("sandglass-" + std::to_string(::getuid()));
}

Result<Fd> openLock(const fs::path& database, const ThreadId& thread)
{
    const fs::path folder = lockFolder();
    struct stat info { };
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return Error{ Errc::Io, "create " + folder.string() + ": " + std::strerror(errno) };
    if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::getuid())
        return Error{ Errc::PermissionDenied,
                      folder.string() + " belongs to another user. Set XDG_RUNTIME_DIR." };
    std::error_code failed;
    const std::string key = fs::weakly_canonical(database, failed).string() + '\0' + thread.value;
    const fs::path path = folder / ("run-" + sha256Hex(key).substr(0, 24) + ".lock");
    Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.isOpen())
        return Error{ Errc::Io, "open " + path.string() + ": " + std::strerror(errno) };
    return file;
}

} // namespace

ThreadLock::ThreadLock(Fd file)
    : m_file(std::move(file))
{
}

Result<ThreadLock> ThreadLock::take(const fs::path& database, const ThreadId& thread)
{
    auto file = openLock(database, thread);
    if (!file)
        return std::move(file.error());
    if (::flock(file->get(), LOCK_EX | LOCK_NB) != 0)
        return Error{
            Errc::Conflict,
            "thread '" + thread.value
                + "' has a run under way, here or in another process. Stop it first, or use another thread."
        };
    return ThreadLock(std::move(*file));
}

bool ThreadLock::isHeld(const fs::path& database, const ThreadId& thread)
{
    auto file = openLock(database, thread);
    if (!file)
        return false;
    return ::flock(file->get(), LOCK_SH | LOCK_NB) != 0;
}

} // namespace sg::workbench
