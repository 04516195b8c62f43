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

// Ancestors of a thread's checkpoints, found without reading every one between. Store and outline outlive it.
class Ancestry {
public:
    // Without an outline each parent is read.
    Ancestry(checkpoint::CheckpointStore& store, checkpoint::ThreadOutline* outline, const ThreadId& thread)
        : m_store(store)
        , m_outline(outline)
        , m_thread(thread)
    {
    }

    // Errc::NotFound: it is not there.
    Result<checkpoint::CheckpointRecord> at(const CheckpointId& id);

    struct Origin {
        CheckpointId id;
        std::optional<CheckpointId> parent; // whose version is another one; none: it is the first of all
    };
    // The farthest ancestor of `of`, itself included, up to which the channel's version is the same.
    Result<Origin> firstWithItsVersion(const CheckpointId& of, const std::string& channel);

private:
    Result<CheckpointId> oldestWith(const Value& version, const CheckpointId& newest,
                                    const std::string& channel);

    checkpoint::CheckpointStore& m_store;
    checkpoint::ThreadOutline* m_outline;
    ThreadId m_thread;
};

// Null: the channel has none.
Value versionOf(const checkpoint::CheckpointRecord& record, const std::string& channel);

} // namespace sg::history
