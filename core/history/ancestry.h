#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"

#include <optional>
#include <string>

namespace sg::checkpoint {
class ThreadOutline;
}

namespace sg::history {

// Finds ancestors of a thread's checkpoints without reading all between. Store and outline outlive it.
class Ancestry {
public:
    // Without an outline every parent is read.
    Ancestry(checkpoint::CheckpointStore& store, checkpoint::ThreadOutline* outline, const ThreadId& thread)
        : m_store(store)
        , m_outline(outline)
        , m_thread(thread)
    {
    }

    // Errc::NotFound: there is no such checkpoint.
    Result<checkpoint::CheckpointRecord> at(const CheckpointId& id);

    struct Origin {
        CheckpointId id;
        std::optional<CheckpointId> parent; // it has another version; nullopt: `id` is the first checkpoint
    };
    // Returns the farthest ancestor of `of`, or `of` itself, up to which the channel's version is the same.
    Result<Origin> firstWithItsVersion(const CheckpointId& of, const std::string& channel);

private:
    Result<CheckpointId> oldestWith(const Value& version, const CheckpointId& newest,
                                    const std::string& channel);

    checkpoint::CheckpointStore& m_store;
    checkpoint::ThreadOutline* m_outline;
    ThreadId m_thread;
};

// Returns null if the channel has no version.
Value versionOf(const checkpoint::CheckpointRecord& record, const std::string& channel);

} // namespace sg::history
