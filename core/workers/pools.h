#pragma once

#include "core/base/result.h"
#include "core/workers/role_queue.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::workers {

// A worker that lives.
struct WorkerView {
    std::string name; // host, process and chance
    std::int64_t busy = 0;
    std::int64_t slots = 0;
    std::int64_t done = 0;
    std::string job; // one that it does now
};

// A role's pool as it is.
struct PoolView {
    std::string role;
    std::int64_t ready = 0; // jobs in its streams that nobody has started
    std::int64_t delayed = 0;
    std::int64_t running = 0;
    std::int64_t dead = 0;
    double oldestSeconds = 0; // of what waits
    std::optional<std::int64_t> lag; // Redis 7 tells it
    bool isPaused = false;
    double rate = 0; // jobs a second; 0: no limit
    double burst = 0;
    std::int64_t concurrency = 0; // 0: no limit
    std::map<std::string, std::int64_t>
        counters; // enqueued, done, retried, dead, lost, cancelled, discarded, stale
    std::vector<WorkerView> workers;
};

struct PoolEvent {
    std::int64_t timeMs = 0;
    std::string role;
    std::vector<std::pair<std::string, std::string>> fields; // e, j, w, …
};

struct PoolLimits { // absent: as it is
    std::optional<double> rate;
    std::optional<double> burst;
    std::optional<std::int64_t> concurrency;
};

// Looks at the pools of a namespace and steers them. One thread at a time.
class Pools {
public:
    Pools(Redis& redis, std::string ns)
        : m_redis(redis)
        , m_ns(std::move(ns))
    {
    }

    Result<std::vector<std::string>> roles();
    Result<PoolView> look(const std::string& role);
    // All that is known of a job, by field. Errc::NotFound: nothing is.
    Result<std::map<std::string, std::string>> job(const std::string& role, const std::string& job);
    Result<std::vector<PoolEvent>> audit(const std::string& role, std::int64_t most); // newest first
    Result<void> pause(const std::string& role, bool isPaused, const std::string& actor);
    Result<void> limit(const std::string& role, const PoolLimits& limits, const std::string& actor);
    // A user of Redis that reaches the keys of this role alone, and the commands that its workers need. With
    // `password` it is made; else only the command is returned. Loads the scripts, as it may not.
    Result<std::string> acl(const std::string& role, const std::string& password);

private:
    [[nodiscard]] std::string prefix(const std::string& role) const
    {
        return QueueName{ m_ns, role }.prefix();
    }
    Result<std::vector<WorkerView>> workers(const std::string& role);
    Result<void> note(const std::string& role, const std::string& what, const std::string& actor);

    Redis& m_redis;
    const std::string m_ns;
};

} // namespace sg::workers
