#pragma once

#include "core/base/child_process.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <filesystem>

namespace sg::checkpoint {

// Says that a run is under way on a thread of a database, to this and other processes. The kernel drops it
// when its owner dies, so it also tells a run that goes on from one that was killed.
class ThreadLock {
public:
    // Errc::Conflict: a run holds it.
    static Result<ThreadLock> take(const std::filesystem::path& database, const ThreadId& thread);
    [[nodiscard]] static bool isHeld(const std::filesystem::path& database, const ThreadId& thread);

private:
    explicit ThreadLock(Fd file);
    Fd m_file; // its lock ends with it
};

} // namespace sg::checkpoint
