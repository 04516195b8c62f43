#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace sg::checkpoint {

class CheckpointFile;

// Tells what has changed in a thread's file, for callers that keep what they read of it. It looks at keys
// only, never at a state. One thread may use it at a time.
class ThreadChanges {
public:
    struct Stamp {
        std::int64_t checkpoints = 0;
        std::int64_t tasks = 0;
        std::int64_t writes = 0;
        std::int64_t newestTask = 0; // row numbers, which rise
        std::int64_t newestWrite = 0;
        std::string newest; // the newest checkpoint
        std::string firstChanged; // the oldest checkpoint with rows since the previous stamp, or empty
        [[nodiscard]] bool isSame(const Stamp& other) const
        {
            return checkpoints == other.checkpoints && tasks == other.tasks && writes == other.writes
                && newestTask == other.newestTask && newestWrite == other.newestWrite
                && newest == other.newest;
        }
    };

    static Result<ThreadChanges> open(const std::filesystem::path& database);
    ThreadChanges(ThreadChanges&&) noexcept;
    ThreadChanges& operator=(ThreadChanges&&) noexcept;
    ~ThreadChanges();

    // Returns SQLite's commit counter: while it stays the same, nothing has changed.
    Result<std::int64_t> version();
    Result<Stamp> stamp(const ThreadId& thread, const Stamp& before); // of the root graph's checkpoints

private:
    explicit ThreadChanges(std::unique_ptr<CheckpointFile> file);
    std::unique_ptr<CheckpointFile> m_file;
};

} // namespace sg::checkpoint
