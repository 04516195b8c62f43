#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/engine.h"

#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace sg::engine {

// What a run has to store, in order, until it is written in one transaction. With durability sync the loop
// flushes before each next superstep; with async a few supersteps share a transaction, but nothing waits in
// memory while a task runs that may block. Any thread.
class SaveQueue {
public:
    SaveQueue(checkpoint::CheckpointStore& store, Durability durability)
        : m_store(store)
        , m_durability(durability)
    {
    }
    [[nodiscard]] Durability durability() const { return m_durability; }
    [[nodiscard]] checkpoint::CheckpointStore& store() const { return m_store; }

    void addWrites(checkpoint::CheckpointRef ref, std::vector<checkpoint::PendingWrite> writes);
    void addCheckpoint(checkpoint::CheckpointRef ref, std::optional<CheckpointId> parent,
                       checkpoint::Checkpoint checkpoint, checkpoint::CheckpointMetadata metadata);
    // A superstep has ended: flushes where durability asks for it.
    Result<void> stepEnded();
    Result<void> flush();

private:
    struct SavedWrites {
        checkpoint::CheckpointRef ref;
        std::vector<checkpoint::PendingWrite> writes;
    };
    struct SavedCheckpoint {
        checkpoint::CheckpointRef ref;
        std::optional<CheckpointId> parent;
        checkpoint::Checkpoint checkpoint;
        checkpoint::CheckpointMetadata metadata;
    };
    Result<void> store(const SavedWrites& saved);
    Result<void> store(const SavedCheckpoint& saved);

    checkpoint::CheckpointStore& m_store;
    const Durability m_durability;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::vector<std::variant<SavedWrites, SavedCheckpoint>> m_saves;
    int m_steps = 0;
};

} // namespace sg::engine
