#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/new_rows.h"
#include "core/checkpoint/run_log.h"
#include "core/checkpoint/snapshot_log.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

class DispatchLog;

struct CheckpointQuery {
    std::optional<ThreadId> thread;
    std::optional<std::string> ns;
    std::optional<CheckpointId> id;
    std::optional<CheckpointId> before;
    std::vector<std::pair<std::string, Value>> metadataFilter;
    std::optional<std::int64_t> limit;
    bool withWrites = true;
    // Set for a look at a history: large values of the state's channels, and large writes to them, may then
    // be null.
    bool isLook = false;
};

struct ThreadSummary {
    ThreadId thread;
    std::int64_t checkpoints = 0; // of the root namespace
    CheckpointId head{};
    std::string updatedAt{}; // the head's timestamp
};

// True where a checkpoint's content is at fault, damaged or of a type that is not read: others of the same
// store can be.
inline bool isOfOneCheckpoint(const Error& error)
{
    return error.code == Errc::Corrupt || error.code == Errc::Unsupported;
}

// A CheckpointStore holds checkpoints. The store's own mutex serializes calls that write; reading is safe
// from any thread. SqliteCheckpointStore and MemoryCheckpointStore pass the same conformance suite.
class CheckpointStore {
public:
    virtual ~CheckpointStore() = default;

    // Without an id it returns the namespace's newest; nullopt: there is none.
    virtual Result<std::optional<CheckpointRecord>> get(const ThreadId& thread, const std::string& ns,
                                                        const std::optional<CheckpointId>& id) = 0;
    // Visits the newest first; the visitor returns false to stop. Rows are streamed, never held all at once.
    virtual Result<void> list(const CheckpointQuery& query,
                              const std::function<bool(const CheckpointRecord&)>& visit) = 0;
    virtual Result<std::vector<ThreadSummary>> threads() = 0; // newest first

    // Does get() for a look, see CheckpointQuery::isLook.
    Result<std::optional<CheckpointRecord>> look(const ThreadId& thread, const std::string& ns,
                                                 const std::optional<CheckpointId>& id);

    // Replaces a checkpoint of the same id.
    Result<void> put(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                     const Checkpoint& checkpoint, const CheckpointMetadata& metadata);
    virtual Result<void> putEncoded(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                                    const EncodedCheckpoint& checkpoint) = 0;
    // Follows LangGraph's rule, task by task: if every channel is special (__error__, __interrupt__, …), the
    // new writes replace the old, else the first ones win. A write's index is chosen here (its place among
    // the task's writes of this call, or its special channel's own); the one in the PendingWrite is ignored.
    virtual Result<void> putWrites(const CheckpointRef& ref, const std::vector<PendingWrite>& writes) = 0;
    // Does the same for one task, whose rows are new.
    virtual Result<void> putTask(const CheckpointRef& ref, const NewWrites& task) = 0;
    // Stores a copy of a record of get(), whose writes keep their indices, in place of what is there.
    virtual Result<void> putRecord(const CheckpointRecord& record) = 0;
    virtual Result<void> deleteThread(const ThreadId& thread) = 0; // with its runs, tasks and log

    // The writes that `work` makes are one transaction (writes of tasks that finished together, and the
    // checkpoint). `work` runs on the calling thread and may call the functions above. Its error rolls back.
    virtual Result<void> together(const std::function<Result<void>()>& work) = 0;

    // Keeps runs on other machines from the thread while what is returned lives; this machine's own know by
    // the ThreadLock. Errc::Conflict: one is under way there.
    virtual Result<std::shared_ptr<const void>> hold(const ThreadId&)
    {
        return std::shared_ptr<const void>();
    }
    [[nodiscard]] virtual bool isHeld(const ThreadId&) { return false; } // there, as far as can be told

    // Makes the database's file hold the thread (nullopt: all threads) as it is now, for what reads the file
    // itself. Returns false where it cannot.
    virtual Result<bool> bringHere(const std::optional<ThreadId>&) { return true; }

    // Returns a text that changes when somebody wrote to a database on a server, within a few seconds; empty
    // where the file is the database.
    virtual Result<std::string> changeMark() { return std::string(); }
    // Makes readers that wait for a lost server give up, for a program that ends. Any thread.
    virtual void giveUpWaiting() { }

    // Returns true if writing takes less time than handing the work to another thread.
    [[nodiscard]] virtual bool isInMemory() const { return false; }

    virtual RunLog& runLog() = 0; // lives as long as the store
    virtual SnapshotLog* snapshotLog() { return nullptr; } // the same; null if the store keeps none
    virtual DispatchLog* dispatchLog() { return nullptr; } // the same
};

} // namespace sg::checkpoint
