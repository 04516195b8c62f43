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

// A checkpoint as far as a history of any length is drawn from it: of the state's channels the values are
// left out, of the writes those that are neither an error nor a question.
struct OutlineRecord {
    CheckpointRecord record;
    std::vector<TaskRecord> tasks; // every attempt that a run of this program recorded, in order of start
};

// Reads threads of a checkpoint file in order, oldest first, in pieces: one pass over each table, whatever
// the size of the states. One thread at a time.
class ThreadOutline {
public:
    static Result<ThreadOutline> open(const std::filesystem::path& database);
    ThreadOutline(ThreadOutline&&) noexcept;
    ThreadOutline& operator=(ThreadOutline&&) noexcept;
    ~ThreadOutline();

    // Checkpoints behind `after` (nullopt: from the first), at most `limit`. A row that cannot be read has a
    // `problem`, as CheckpointStore::list() has.
    Result<std::vector<OutlineRecord>> read(const ThreadId& thread, const std::string& ns,
                                            const std::optional<CheckpointId>& after, std::int64_t limit);
    // Paths of the tasks that wrote from a checkpoint, without their values.
    Result<std::vector<PendingWrite>> writersAt(const CheckpointRef& ref);
    Result<std::int64_t> count(const ThreadId& thread, const std::string& ns);
    // The checkpoint before the newest `count`; nullopt: there are no more than those.
    Result<std::optional<CheckpointId>> before(const ThreadId& thread, const std::string& ns,
                                               std::int64_t count);
    // The first one that stands at that id or behind it; nullopt: there is none.
    Result<std::optional<CheckpointId>> firstFrom(const ThreadId& thread, const std::string& ns,
                                                  const std::string& id);
    // Of subgraphs: "plan:1f0…", "plan:1f0…|inner:2a…"; at most `limit`, in order.
    Result<std::vector<std::string>> namespaces(const ThreadId& thread, std::size_t limit);

private:
    explicit ThreadOutline(std::unique_ptr<CheckpointFile> file);
    std::unique_ptr<CheckpointFile> m_file;
};

} // namespace sg::checkpoint
