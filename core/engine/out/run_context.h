#pragma once

#include "core/base/uuid.h"
#include "core/engine/engine.h"
#include "core/engine/out/run_publisher.h"
#include "core/engine/out/save_queue.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace sg::engine {

// In a replay each nested graph first starts from the newest checkpoint it had stored before `before`.
struct ReplayBound {
    CheckpointId before;
    std::mutex mutex;
    std::set<std::string> visited; // guarded by mutex; namespaces without the last task id
};

enum class StreamMode { Values, Updates, Tasks, Checkpoints, Debug, Custom, Messages };
inline constexpr std::size_t kStreamModes = 7;

// Ids of messages that the stream mode "messages" has told of, or that were there before. Any thread.
class SeenMessages {
public:
    bool add(const std::string& id) // false: it was seen before
    {
        const std::lock_guard lock(m_mutex);
        return m_ids.insert(id).second;
    }

private:
    std::mutex m_mutex;
    std::set<std::string> m_ids; // guarded by m_mutex
};

// Keeps the first failure that it is told of. Any thread.
class FirstFailureNote {
public:
    void note(FirstFailure failure)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(failure);
    }
    [[nodiscard]] std::optional<FirstFailure> failure() const
    {
        const std::lock_guard lock(m_mutex);
        return m_failure;
    }

private:
    mutable std::mutex m_mutex;
    std::optional<FirstFailure> m_failure; // guarded by m_mutex
};

// RunContext is shared by a run and all graphs nested in it. The root loop sets it up; it is constant while
// tasks run, except where a comment says otherwise.
struct RunContext {
    RunContext(const RunOptions& runOptions, const Services& world, Uuid6Source& source, RunPublisher& events,
               SaveQueue* queue)
        : options(runOptions)
        , services(world)
        , ids(source)
        , publisher(events)
        , saves(queue)
    {
    }

    const RunOptions& options;
    const Services& services;
    Uuid6Source& ids;
    RunPublisher& publisher; // any thread
    SaveQueue* saves = nullptr; // any thread; null: nothing is stored
    std::array<bool, kStreamModes> modes{};
    std::int64_t recursionLimit = kDefaultRecursionLimit;
    Durability durability = Durability::Async;
    ValueMap storedMetadata; // the caller's, stored beside each checkpoint's own
    std::optional<ValueMap> resumeMap;
    std::shared_ptr<ReplayBound> replay; // null: not replaying
    std::atomic<std::int64_t> supersteps = 0;
    SeenMessages seenMessages;
    FirstFailureNote firstFailure;

    [[nodiscard]] bool streams(StreamMode mode) const { return modes[static_cast<std::size_t>(mode)]; }
};

// Returns the scalars of the caller's metadata and configurable, as SqliteSaver stores them.
ValueMap callerMetadata(const RunOptions& options);

} // namespace sg::engine
