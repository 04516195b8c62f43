#include "core/engine/out/save_queue.h"

#include <algorithm>
#include <iterator>

namespace sg::engine {
namespace {

constexpr int kStepsTogether = 16; // supersteps that an async run stores in one transaction
constexpr std::size_t kMostHanded = 4; // groups; beyond these the run waits for the store

} // namespace

SaveQueue::SaveQueue(checkpoint::CheckpointStore& store, Durability durability)
    : m_store(store)
    , m_durability(durability)
{
}

SaveQueue::~SaveQueue()
{
    if (!m_writer.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    m_writer.join();
}

void SaveQueue::addWrites(checkpoint::CheckpointRef ref, std::vector<checkpoint::PendingWrite> writes)
{
    const std::lock_guard lock(m_mutex);
    m_saves.emplace_back(SavedWrites{ std::move(ref), std::move(writes) });
}

void SaveQueue::addBeside(Companion::Save save)
{
    if (!save)
        return;
    const std::lock_guard lock(m_mutex);
    m_saves.emplace_back(std::move(save));
}

void SaveQueue::addTask(std::shared_ptr<const checkpoint::CheckpointRef> ref, checkpoint::NewWrites writes)
{
    const std::lock_guard lock(m_mutex);
    m_saves.emplace_back(SavedTask{ std::move(ref), std::move(writes) });
}

void SaveQueue::addCheckpoint(std::shared_ptr<const checkpoint::CheckpointRef> ref,
                              std::optional<CheckpointId> parent, checkpoint::EncodedCheckpoint checkpoint)
{
    const std::lock_guard lock(m_mutex);
    m_saves.emplace_back(SavedCheckpoint{ std::move(ref), std::move(parent), std::move(checkpoint) });
}

Result<void> SaveQueue::stepEnded()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_durability != Durability::Sync && ++m_steps < kStepsTogether)
            return {};
    }
    return push();
}

Result<void> SaveQueue::push()
{
    if (m_durability != Durability::Async || m_store.isInMemory())
        return flush();
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_handed.size() < kMostHanded || m_failure; });
    if (m_failure)
        return failure();
    m_steps = 0;
    if (m_saves.empty())
        return {};
    m_handed.push_back(std::exchange(m_saves, {}));
    if (!m_writer.joinable())
        m_writer = std::thread([this] { writeHanded(); });
    lock.unlock();
    m_changed.notify_all();
    return {};
}

Result<void> SaveQueue::flush()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return (m_handed.empty() && !m_writing) || m_failure; });
    if (m_failure)
        return failure();
    return writeHere(); // with the lock, so that saves stay in order
}

Result<void> SaveQueue::writeHere()
{
    m_steps = 0;
    if (m_saves.empty())
        return {};
    auto stored = write(m_saves);
    m_saves.clear();
    return stored;
}

Result<void> SaveQueue::failure() const
{
    Error error = *m_failure;
    return error;
}

void SaveQueue::writeHanded()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return !m_handed.empty() || m_ends; });
        if (m_handed.empty())
            return;
        const std::vector<Save> saves = takeHanded();
        m_writing = true;
        lock.unlock();
        m_changed.notify_all(); // another group fits now
        auto stored = write(saves);
        lock.lock();
        m_writing = false;
        if (!stored) {
            m_failure = std::move(stored.error());
            m_handed.clear();
        }
        m_changed.notify_all();
    }
}

// Takes the first group, and those behind it that fit into the same transaction.
std::vector<SaveQueue::Save> SaveQueue::takeHanded()
{
    const auto steps = [](const std::vector<Save>& saves) {
        return std::ranges::count_if(
            saves, [](const Save& save) { return std::holds_alternative<SavedCheckpoint>(save); });
    };
    std::vector<Save> taken = std::move(m_handed.front());
    m_handed.pop_front();
    while (!m_handed.empty() && steps(taken) + steps(m_handed.front()) <= kStepsTogether) {
        std::ranges::move(m_handed.front(), std::back_inserter(taken));
        m_handed.pop_front();
    }
    return taken;
}

Result<void> SaveQueue::write(const std::vector<Save>& saves)
{
    auto stored = m_store.together([this, &saves]() -> Result<void> {
        for (const Save& save : saves) {
            auto done = std::visit([this](const auto& saved) { return this->store(saved); }, save);
            if (!done)
                return done;
        }
        return {};
    });
    if (!stored)
        return std::move(stored.error()).during("store the run's checkpoints");
    return {};
}

Result<void> SaveQueue::store(const SavedWrites& saved)
{
    return m_store.putWrites(saved.ref, saved.writes);
}

Result<void> SaveQueue::store(const SavedTask& saved)
{
    return m_store.putTask(*saved.ref, saved.writes);
}

Result<void> SaveQueue::store(const SavedCheckpoint& saved)
{
    return m_store.putEncoded(*saved.ref, saved.parent, saved.checkpoint);
}

} // namespace sg::engine
