#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace sg::workers {

// These count the work of one worker, for its metrics. Any thread.
struct WorkerFigures {
    static constexpr std::array<double, 8> kBounds{ 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600 }; // seconds

    std::atomic<std::int64_t> done = 0;
    std::atomic<std::int64_t> retried = 0;
    std::atomic<std::int64_t> dead = 0;
    std::atomic<std::int64_t> stale = 0; // results that were refused, as another worker had the job
    std::atomic<std::int64_t> busy = 0; // handlers that run now
    std::atomic<std::int64_t> lastTakeMs = 0; // of the steady clock: when the queue last answered
    std::array<std::atomic<std::int64_t>, kBounds.size() + 1> durations{}; // jobs by how long they took
    std::atomic<std::int64_t> tookMicros = 0; // of all of them

    void took(std::chrono::duration<double> time);
};

} // namespace sg::workers
