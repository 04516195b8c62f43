#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/new_rows.h"
#include "core/checkpoint/run_log.h"
#include "core/checkpoint/snapshot_log.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

struct CheckpointQuery {
    std::optional<ThreadId> thread;
    std::optional<std::string> ns;
    std::optional<CheckpointId> id;
    std::optional<CheckpointId> before;
    std::vector<std::pair<std::string, Value>> metadataFilter;
    std::optional<std::int64_t> limit;
    bool withWrites = true;
};

struct ThreadSummary {
    ThreadId thread;
    std::int64_t checkpoints = 0; // of the root namespace
    CheckpointId head;
    std::string updatedAt; // the head's timestamp
};

// Where checkpoints live. One writer at a time: calls that write are serialized by the store's own mutex;
// reading is safe from any thread. SqliteCheckpointStore and MemoryCheckpointStore pass the same conformance
// suite.
class CheckpointStore {
public:
    virtual ~CheckpointStore() = default;

    // The newest of the namespace where no id is given; nullopt where there is none.
    virtual Result<std::optional<CheckpointRecord>> get(const ThreadId& thread, const std::string& ns,
                                                        const std::optional<CheckpointId>& id) = 0;
    // Newest first; the visitor returns false to stop. Rows are streamed, never held all at once.
    virtual Result<void> list(const CheckpointQuery& query,
                              const std::function<bool(const CheckpointRecord&)>& visit) = 0;
    virtual Result<std::vector<ThreadSummary>> threads() = 0; // newest first

    // Replaces a checkpoint of the same id.
    Result<void> put(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                     const Checkpoint& checkpoint, const CheckpointMetadata& metadata);
    virtual Result<void> putEncoded(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                                    const EncodedCheckpoint& checkpoint) = 0;
    // LangGraph's rule, task by task: replaced where every channel is special (__error__, __interrupt__, …),
    // else the first one wins. A write's index is chosen here (its place among the task's writes of this
    // call, or its special channel's own); that in the PendingWrite is not looked at.
    virtual Result<void> putWrites(const CheckpointRef& ref, const std::vector<PendingWrite>& writes) = 0;
    // The same for one task, whose rows are new.
    virtual Result<void> putTask(const CheckpointRef& ref, const NewWrites& task) = 0;
    // A copy of what get() gave: checkpoint and writes, these with their own indices; replaces what is there.
    virtual Result<void> putRecord(const CheckpointRecord& record) = 0;
    virtual Result<void> deleteThread(const ThreadId& thread) = 0; // its runs, tasks and log too

    // Everything between is one transaction (writes of tasks that finished together, and the checkpoint).
    // The work runs on the calling thread, which may call the functions above. An Error from it rolls back.
    virtual Result<void> together(const std::function<Result<void>()>& work) = 0;

    // Writing takes less time than handing it to another thread.
    [[nodiscard]] virtual bool isInMemory() const { return false; }

    virtual RunLog& runLog() = 0; // lives as long as the store
    virtual SnapshotLog* snapshotLog() { return nullptr; } // the same; null where the store keeps none
};

} // namespace sg::checkpoint
