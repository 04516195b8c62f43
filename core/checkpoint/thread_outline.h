#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/run_log.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::checkpoint {

class CheckpointFile;

// A checkpoint without what drawing a history does not need: values of state channels, and writes that are
// neither an error nor an interrupt.
struct OutlineRecord {
    CheckpointRecord record;
    std::vector<TaskRecord> tasks; // every attempt that a run of this program recorded, in order of start
};

// Reads threads of a checkpoint file in order, oldest first, in pieces: one pass over each table, whatever
// the size of the states. One thread may use it at a time.
class ThreadOutline {
public:
    static Result<ThreadOutline> open(const std::filesystem::path& database);
    ThreadOutline(ThreadOutline&&) noexcept;
    ThreadOutline& operator=(ThreadOutline&&) noexcept;
    ~ThreadOutline();

    // Returns checkpoints after `after` (nullopt: from the first), at most `limit`. A row that cannot be read
    // has a `problem`, as in CheckpointStore::list().
    Result<std::vector<OutlineRecord>> read(const ThreadId& thread, const std::string& ns,
                                            const std::optional<CheckpointId>& after, std::int64_t limit);
    // Returns the paths of the tasks that wrote from a checkpoint, without their values.
    Result<std::vector<PendingWrite>> writersAt(const CheckpointRef& ref);
    Result<std::int64_t> count(const ThreadId& thread, const std::string& ns);
    // Returns the checkpoint before the newest `count`; nullopt: there are no more.
    Result<std::optional<CheckpointId>> before(const ThreadId& thread, const std::string& ns,
                                               std::int64_t count);
    // Returns the first checkpoint with that id or a later one; nullopt: there is none.
    Result<std::optional<CheckpointId>> firstFrom(const ThreadId& thread, const std::string& ns,
                                                  const std::string& id);
    // Returns the namespaces of subgraphs ("plan:1f0…", "plan:1f0…|inner:2a…") in order, at most `limit`.
    Result<std::vector<std::string>> namespaces(const ThreadId& thread, std::size_t limit);

private:
    explicit ThreadOutline(std::unique_ptr<CheckpointFile> file);
    std::unique_ptr<CheckpointFile> m_file;
};

} // namespace sg::checkpoint
