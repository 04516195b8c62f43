#pragma once

#include "core/checkpoint/checkpoint_store.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sg::fault {

// Passes everything on, and tells which checkpoints the store has said to be stored.
class AcknowledgingStore final : public checkpoint::CheckpointStore {
public:
    using Record = checkpoint::CheckpointRecord;

    AcknowledgingStore(checkpoint::CheckpointStore& store, std::function<void(const std::string&)> stored)
        : m_store(store)
        , m_stored(std::move(stored))
    {
    }

    Result<std::optional<Record>> get(const ThreadId& thread, const std::string& ns,
                                      const std::optional<CheckpointId>& id) override
    {
        return m_store.get(thread, ns, id);
    }
    Result<void> list(const checkpoint::CheckpointQuery& query,
                      const std::function<bool(const Record&)>& visit) override
    {
        return m_store.list(query, visit);
    }
    Result<std::vector<checkpoint::ThreadSummary>> threads() override { return m_store.threads(); }
    Result<void> putWrites(const checkpoint::CheckpointRef& ref,
                           const std::vector<checkpoint::PendingWrite>& writes) override
    {
        return m_store.putWrites(ref, writes);
    }
    Result<void> putTask(const checkpoint::CheckpointRef& ref, const checkpoint::NewWrites& task) override
    {
        return m_store.putTask(ref, task);
    }
    Result<void> putEncoded(const checkpoint::CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                            const checkpoint::EncodedCheckpoint& checkpoint) override
    {
        m_waiting.push_back(ref.id.value); // the engine calls this within together() only
        return m_store.putEncoded(ref, parent, checkpoint);
    }
    Result<void> putRecord(const Record& record) override { return m_store.putRecord(record); }
    Result<void> deleteThread(const ThreadId& thread) override { return m_store.deleteThread(thread); }
    Result<void> together(const std::function<Result<void>()>& work) override
    {
        std::vector<std::string> stored;
        auto done = m_store.together([&]() -> Result<void> {
            m_waiting.clear();
            auto worked = work();
            stored = std::exchange(m_waiting, {});
            return worked;
        });
        if (done)
            for (const std::string& checkpoint : stored)
                m_stored(checkpoint);
        return done;
    }
    checkpoint::RunLog& runLog() override { return m_store.runLog(); }

private:
    checkpoint::CheckpointStore& m_store;
    std::function<void(const std::string&)> m_stored;
    std::vector<std::string> m_waiting; // guarded by the transaction of together()
};

} // namespace sg::fault
