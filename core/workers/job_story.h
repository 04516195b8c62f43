#pragma once

#include "core/base/result.h"
#include "core/workers/job_state.h"
#include "core/workers/role_queue.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sg::workers {

// A job as the queue knows it: its state, its payload, and each event of it, oldest first.
struct JobStory {
    std::string job;
    std::optional<JobState> state; // nullopt: a word that this version does not know
    std::int64_t attempts = 0;
    std::int64_t most = 1;
    std::int64_t lost = 0; // workers that were lost with it
    std::string partition;
    std::string error;
    std::string payload; // a parcel; empty once the job is done or discarded
    std::vector<StoryLine> lines;
    bool isWhole = true; // false: the oldest events are not in the role's audit any more
};

// Reads the audit from when the job was added, in pages. Errc::NotFound: the queue knows no such job.
Result<JobStory> jobStory(Redis& redis, const QueueName& queue, const std::string& job);

} // namespace sg::workers
