#include "core/engine/save_queue.h"

namespace sg::engine {
namespace {

constexpr int kStepsTogether = 16; // of an async run

}

void SaveQueue::addWrites(checkpoint::CheckpointRef ref, std::vector<checkpoint::PendingWrite> writes)
{
    const std::lock_guard lock(m_mutex);
    m_saves.emplace_back(SavedWrites{ std::move(ref), std::move(writes) });
}

void SaveQueue::addCheckpoint(checkpoint::CheckpointRef ref, std::optional<CheckpointId> parent,
                              checkpoint::Checkpoint checkpoint, checkpoint::CheckpointMetadata metadata)
{
    const std::lock_guard lock(m_mutex);
    m_saves.emplace_back(
        SavedCheckpoint{ std::move(ref), std::move(parent), std::move(checkpoint), std::move(metadata) });
}

Result<void> SaveQueue::stepEnded()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_durability != Durability::Sync && ++m_steps < kStepsTogether)
            return {};
    }
    return flush();
}

Result<void> SaveQueue::flush()
{
    const std::lock_guard lock(m_mutex); // kept while writing, so that saves stay in order
    m_steps = 0;
    if (m_saves.empty())
        return {};
    auto stored = m_store.together([this]() -> Result<void> {
        for (const auto& save : m_saves) {
            auto done = std::visit([this](const auto& saved) { return store(saved); }, save);
            if (!done)
                return done;
        }
        return {};
    });
    m_saves.clear();
    if (!stored)
        return std::move(stored.error()).during("store the run's checkpoints");
    return {};
}

Result<void> SaveQueue::store(const SavedWrites& saved)
{
    return m_store.putWrites(saved.ref, saved.writes);
}

Result<void> SaveQueue::store(const SavedCheckpoint& saved)
{
    return m_store.put(saved.ref, saved.parent, saved.checkpoint, saved.metadata);
}

} // namespace sg::engine
