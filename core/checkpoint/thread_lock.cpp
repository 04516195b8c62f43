#include "core/checkpoint/thread_lock.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/checkpoint/checkpoint_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::checkpoint {
namespace {

// All threads of a database share one empty file, whatever path names it; each locks a byte of its own.
fs::path lockFile(const fs::path& database)
{
    std::error_code failed;
    fs::path path = fs::weakly_canonical(database, failed);
    if (failed)
        path = database;
    path += "-runs";
    return path;
}

// Open file description locks are used: unlike flock they can be queried without being taken, and unlike
// POSIX locks they do not end when another descriptor of the file is closed.
struct flock byteOf(const ThreadId& thread)
{
    off_t place = 0;
    for (const char digit : xxh3Hex(thread.value).substr(0, 15)) // 60 bits
        place = place * 16 + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
    struct flock lock { };
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = place;
    lock.l_len = 1;
    return lock;
}

} // namespace

ThreadLock::ThreadLock(Fd file)
    : m_file(std::move(file))
{
}

Result<ThreadLock> ThreadLock::take(const fs::path& database, const ThreadId& thread)
{
    const fs::path path = lockFile(database);
    Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file.isOpen())
        return Error{ errno == ENOSPC ? Errc::NoSpace : Errc::Io,
                      "mark the run in " + path.string() + ": " + errnoText(errno) };
    struct flock lock = byteOf(thread);
    if (::fcntl(file.get(), F_OFD_SETLK, &lock) == 0)
        return ThreadLock(std::move(file));
    if (errno != EAGAIN && errno != EACCES)
        return Error{ Errc::Io, "lock " + path.string() + ": " + errnoText(errno) };
    return Error{
        Errc::Conflict,
        "thread '" + thread.value
            + "' has a run under way, here or in another process. Stop it first, or use another thread."
    };
}

Result<ThreadLock> ThreadLock::take(CheckpointStore& store, const fs::path& database, const ThreadId& thread)
{
    auto lock = take(database, thread);
    if (!lock)
        return lock;
    auto elsewhere = store.hold(thread);
    if (!elsewhere)
        return std::move(elsewhere.error());
    lock->m_elsewhere = std::move(*elsewhere);
    return lock;
}

bool ThreadLock::isHeld(const fs::path& database, const ThreadId& thread)
{
    const Fd file(::open(lockFile(database).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct flock lock = byteOf(thread);
    return file.isOpen() && ::fcntl(file.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

} // namespace sg::checkpoint
