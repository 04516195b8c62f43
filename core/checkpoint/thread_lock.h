#pragma once

#include "core/base/child_process.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>

namespace sg::checkpoint {

class CheckpointStore;

// A ThreadLock tells this and other processes that a run is under way on a thread of a database. The kernel
// drops it when its owner dies, so it also tells a live run from one that was killed.
class ThreadLock {
public:
    // Errc::Conflict: another run holds the lock.
    static Result<ThreadLock> take(const std::filesystem::path& database, const ThreadId& thread);
    // Also keeps other machines from the thread, where `store` holds what several of them use.
    static Result<ThreadLock> take(CheckpointStore& store, const std::filesystem::path& database,
                                   const ThreadId& thread);
    [[nodiscard]] static bool isHeld(const std::filesystem::path& database, const ThreadId& thread);

private:
    explicit ThreadLock(Fd file);
    Fd m_file; // closing it ends the lock
    std::shared_ptr<const void> m_elsewhere; // ends before it
};

} // namespace sg::checkpoint
