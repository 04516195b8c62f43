#pragma once

#include "core/base/result.h"
#include "core/workers/role_queue.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Dead letters: jobs that were given up, with the reason. They stay until somebody requeues or discards them.
namespace sg::workers {

struct DeadLetter {
    std::string entry; // in the role's stream of dead letters
    std::string job;
    std::string why;
    std::int64_t attempts = 0;
    std::int64_t timeMs = 0; // since 1970
    std::int64_t payloadBytes = 0; // of its parcel
};

// Chooses dead letters: those whose reason has this text in it; empty: all.
struct DeadChoice {
    std::string why;
};

// The newest `most` of them, newest first.
Result<std::vector<DeadLetter>> deadLetters(Redis& redis, const QueueName& queue, const DeadChoice& choice,
                                            std::int64_t most);
Result<std::int64_t> countDeadLetters(Redis& redis, const QueueName& queue);

enum class DeadWork {
    Requeue, // their jobs are ready again, with all of their attempts
    Discard // their jobs end as cancelled, without payload and result; their story stays for seven days
};

struct Actor {
    std::string name; // for the audit and the jobs' stories
    // Is told how many are done by now; may be empty.
    std::function<void(std::int64_t done)> progress = {};
};

// Does it to all that were chosen and dead when it began, however many they are; a job that dies again
// meanwhile stays dead. Returns how many it was done to. An error tells how many were done before.
Result<std::int64_t> handleDeadLetters(Redis& redis, const QueueName& queue, const DeadChoice& choice,
                                       DeadWork work, const Actor& actor);

} // namespace sg::workers
