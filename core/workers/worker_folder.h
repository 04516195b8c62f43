#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <filesystem>

namespace sg::workers {

// The folder in which one worker process keeps sessions and code. The next process takes over the folder of
// one that was killed, and so what is to be swept.
class WorkerFolder {
public:
    // Takes the first of root/1, root/2, … that no other process has.
    static Result<WorkerFolder> take(const std::filesystem::path& root);
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    WorkerFolder(std::filesystem::path path, Fd lock)
        : m_path(std::move(path))
        , m_lock(std::move(lock))
    {
    }
    std::filesystem::path m_path;
    Fd m_lock; // closing it gives the folder up
};

} // namespace sg::workers
