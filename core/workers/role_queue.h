#pragma once

#include "core/base/result.h"
#include "core/workers/job_state.h"
#include "core/workers/redis.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::workers {

// The name of a role's queue, in a namespace that several projects may share.
struct QueueName {
    std::string ns = "default";
    std::string role;

    [[nodiscard]] std::string prefix() const { return "sg:{" + ns + "}:" + role + ":"; }
};

enum class Priority { High, Normal, Low };
std::string_view streamOf(Priority priority); // "hi", "q", "lo"

struct NewJob {
    std::string id; // the same for the same work: a job that is there already is not added again
    std::string payload;
    Priority priority = Priority::Normal;
    int attempts = 1;
    std::chrono::milliseconds delay{ 0 };
    std::string replyTo; // a list below the role's prefix; empty: nobody waits
    std::string partition;
};

// A job that a worker has started. Its fence is higher than those of all who had it before.
struct StartedJob {
    std::string id;
    std::string fence;
    int attempt = 1;
    int attempts = 1;
    std::string payload;
    std::string partition;
    std::chrono::milliseconds waited{ 0 }; // since it was added
};

struct Finished {
    const StartedJob& job;
    std::string_view result;
};

// The time before a failed job is tried again: min(cap, base * 2^(attempt - 1)), of which half is left to
// chance.
struct Backoff {
    std::chrono::milliseconds base{ 500 };
    std::chrono::milliseconds cap{ 60'000 };
};

struct JobFailure {
    std::string error; // one line, for people
    std::string result; // for who waits, if it is the last attempt
    bool mayRetry = true;
    std::chrono::milliseconds notBefore{ 0 }; // a Retry-After
};

struct EndedJob {
    std::string id;
    JobState state = JobState::Done;
    std::string result;
    std::string error;
    std::string worker;
};

struct Lease {
    std::string consumer;
    std::chrono::milliseconds time{ 30'000 };
    int mostLost = 3; // workers that may be lost with a job before it counts as their cause
};

// The operations on one role's queue, over a connection of the caller's. See queue_scripts.h for its keys.
// One thread at a time.
class RoleQueue {
public:
    RoleQueue(Redis& redis, const QueueName& name)
        : m_redis(redis)
        , m_prefix(name.prefix())
        , m_roles("sg:{" + name.ns + "}:roles")
        , m_role(name.role)
    {
    }

    // Tells the namespace that there is such a role. A worker's user may be unable to: that is no error.
    Result<void> announce();
    // Adds them together; returns the state of each.
    Result<std::vector<JobState>> add(const std::vector<NewJob>& jobs);

    struct Taken {
        std::vector<bool> counted; // of what was finished; false: another worker had taken it over
        std::vector<StartedJob> jobs;
        std::optional<std::chrono::milliseconds> wait; // nothing may start before; -1: the role is paused
    };
    // Ends jobs, at most scripts::kMostTogether, and starts up to `count` that wait, in one step.
    Result<Taken> take(const Lease& lease, int count, const std::vector<Finished>& finished);
    // Waits for a job to arrive, and starts it.
    Result<Taken> takeNext(const Lease& lease, std::chrono::milliseconds wait);
    // Renews the leases; false where a job is no longer this worker's.
    Result<std::vector<bool>> beat(const Lease& lease, const std::vector<StartedJob>& jobs);
    Result<std::vector<bool>>
    finish(const std::vector<Finished>& all); // false: another worker had taken it over
    // Sends bytes to who waits for the job, while it is this worker's.
    Result<void> say(const StartedJob& job, std::string_view bytes);
    enum class Failed { Stale, Retried, Dead };
    Result<Failed> fail(const StartedJob& job, const JobFailure& failure, const Backoff& backoff,
                        double chance);
    // Makes jobs ready whose time has come, and takes back those of lost workers. Every worker does it.
    Result<int> tend(const Lease& lease);
    Result<bool> cancel(const std::string& job);
    Result<bool> bury(const NewJob& job, const std::string& why); // a dead letter from the start
    // Makes dead jobs ready again; false where it is not dead.
    Result<std::vector<bool>> requeue(const std::vector<std::string>& jobs, const std::string& actor);
    struct Dead {
        std::string job;
        std::string entry = {}; // its dead letter's; empty: whichever it has
    };
    // Ends dead jobs as cancelled, and drops their payloads and results. A letter whose job the server has
    // lost goes by its entry. False where there is no such letter.
    Result<std::vector<bool>> discard(const std::vector<Dead>& letters, const std::string& actor);
    Result<void> forget(const std::vector<std::string>& jobs);

    // nullopt: there is no such job, or it has not ended.
    Result<std::vector<std::optional<EndedJob>>> ended(const std::vector<std::string>& jobs);
    Result<std::vector<std::optional<JobState>>> states(const std::vector<std::string>& jobs);

    // Tells others that this worker lives, for three beats.
    Result<void> presence(const std::string& consumer, std::chrono::milliseconds beat,
                          const std::vector<std::pair<std::string, std::string>>& fields);
    Result<void> leave(const std::string& consumer);

    [[nodiscard]] const std::string& prefix() const { return m_prefix; }

private:
    Result<std::vector<RedisReply>> inParts(const RedisScript& script, const Redis::Words& first,
                                            const Redis::Words& words, std::size_t each);
    Result<std::vector<bool>> flags(const Result<std::vector<RedisReply>>& replies) const;

    Redis& m_redis;
    const std::string m_prefix;
    const std::string m_roles;
    const std::string m_role;
    std::uint64_t m_turn = 0; // of the streams, which differ in priority
};

} // namespace sg::workers
