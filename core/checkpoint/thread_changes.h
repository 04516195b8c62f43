#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace sg::checkpoint {

class CheckpointFile;

// What of a thread has changed in its file, for who keeps what was read of it. Costs a look at the keys,
// never at a state. One thread at a time.
class ThreadChanges {
public:
    struct Stamp {
        std::int64_t checkpoints = 0;
        std::int64_t tasks = 0;
        std::int64_t writes = 0;
        std::int64_t newestTask = 0; // rows' numbers: they rise
        std::int64_t newestWrite = 0;
        std::string newest; // checkpoint
        std::string firstChanged; // the oldest that a row behind the stamp before belongs to; empty: none
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

    // SQLite's counter of what was committed: while it stays, nothing has changed.
    Result<std::int64_t> version();
    Result<Stamp> stamp(const ThreadId& thread, const Stamp& before); // of the graph's own checkpoints

private:
    explicit ThreadChanges(std::unique_ptr<CheckpointFile> file);
    std::unique_ptr<CheckpointFile> m_file;
};

} // namespace sg::checkpoint
