#pragma once

#include "app/cli/queue_option.h"
#include "core/workers/pools.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sg::cli {

// A queue that answers, and its pools.
struct OpenedPools {
    explicit OpenedPools(workers::QueueChoice choice)
        : queue(std::move(choice))
        , redis(queue.address)
        , pools(redis, queue.ns)
    {
    }
    const workers::QueueChoice queue;
    workers::Redis redis;
    workers::Pools pools;
};

// Errc::InvalidArgument: no role can have this name (empty: all roles are meant), or no queue is named.
Result<std::unique_ptr<OpenedPools>> openPools(const QueueOption& option, const std::string& role);

// Returns who steers, for the audit.
std::string poolActor();

// The time of the queue's server, in milliseconds since 1970, for people.
std::string timeText(std::int64_t ms);

} // namespace sg::cli
