#include "core/workers/worker_folder.h"

#include "core/base/errno_error.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace sg::workers {

namespace {
constexpr int kMost = 1000; // workers of a role on one machine
}

Result<WorkerFolder> WorkerFolder::take(const std::filesystem::path& root)
{
    for (int number = 1; number <= kMost; ++number) {
        const std::filesystem::path folder = root / std::to_string(number);
        std::error_code failed;
        std::filesystem::create_directories(folder, failed);
        if (failed)
            return Error{ Errc::Io, "create " + folder.string() + ": " + failed.message() };
        const std::filesystem::path file = folder / "lock";
        Fd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (lock.get() < 0)
            return errnoError(errno, "open " + file.string());
        if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
            return WorkerFolder(folder, std::move(lock));
        if (errno != EWOULDBLOCK)
            return errnoError(errno, "lock " + file.string());
    }
    return Error{ Errc::LimitExceeded, "1000 workers of this role run on this machine already" };
}

} // namespace sg::workers
