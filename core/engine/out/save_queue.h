#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/engine.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

namespace sg::engine {

// SaveQueue keeps what a run has to store, in order, until it is written. With durability sync the loop
// flushes before each next superstep, on its own thread. With async, supersteps go on while the queue's
// writer thread stores the ones before, up to sixteen in one transaction; this thread starts with the first
// handover, which a short run never reaches. Any thread may use the queue.
class SaveQueue {
public:
    SaveQueue(checkpoint::CheckpointStore& store, Durability durability);
    ~SaveQueue(); // what was not flushed may be lost
    SaveQueue(const SaveQueue&) = delete;
    SaveQueue& operator=(const SaveQueue&) = delete;

    [[nodiscard]] Durability durability() const { return m_durability; }
    [[nodiscard]] checkpoint::CheckpointStore& store() const { return m_store; }

    void addWrites(checkpoint::CheckpointRef ref, std::vector<checkpoint::PendingWrite> writes);
    void addTask(std::shared_ptr<const checkpoint::CheckpointRef> ref, checkpoint::NewWrites writes);
    void addCheckpoint(std::shared_ptr<const checkpoint::CheckpointRef> ref,
                       std::optional<CheckpointId> parent, checkpoint::EncodedCheckpoint checkpoint);

    // The companion's data is written in its place in the order, in the transaction of the saves around it.
    void addBeside(Companion::Save save);

    // Called when a superstep has ended; pushes if durability asks for it.
    Result<void> stepEnded();
    // Called before work that may take long: everything is written or handed to the writer when it returns.
    Result<void> push();
    // Everything is written when this returns.
    Result<void> flush();

private:
    struct SavedWrites {
        checkpoint::CheckpointRef ref;
        std::vector<checkpoint::PendingWrite> writes;
    };
    struct SavedTask {
        std::shared_ptr<const checkpoint::CheckpointRef> ref; // shared by the tasks of a superstep
        checkpoint::NewWrites writes;
    };
    struct SavedCheckpoint {
        std::shared_ptr<const checkpoint::CheckpointRef> ref;
        std::optional<CheckpointId> parent;
        checkpoint::EncodedCheckpoint checkpoint;
    };
    using Save = std::variant<SavedWrites, SavedTask, SavedCheckpoint, Companion::Save>;

    static Result<void> store(const Companion::Save& saved) { return saved(); }
    Result<void> store(const SavedWrites& saved);
    Result<void> store(const SavedTask& saved);
    Result<void> store(const SavedCheckpoint& saved);
    Result<void> write(const std::vector<Save>& saves);
    Result<void> writeHere();
    Result<void> failure() const;
    void writeHanded();
    std::vector<Save> takeHanded();

    // Constant after construction:
    checkpoint::CheckpointStore& m_store;
    const Durability m_durability;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::thread m_writer; // the run's thread starts and joins it
    // Guarded by m_mutex:
    std::vector<Save> m_saves;
    int m_steps = 0; // supersteps that have ended in m_saves
    std::deque<std::vector<Save>> m_handed; // groups handed to the writer
    bool m_writing = false; // the writer is storing a group
    bool m_ends = false;
    std::optional<Error> m_failure; // the writer's; nothing is stored after it
};

} // namespace sg::engine
