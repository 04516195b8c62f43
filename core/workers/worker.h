#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/workers/role_queue.h"
#include "core/workers/worker_figures.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace sg::workers {

struct WorkerOptions {
    QueueAddress address;
    QueueName queue;
    int concurrency = 1; // jobs at once, each on a thread
    int prefetch = 1; // jobs that a thread takes at once; their leases are renewed together
    std::chrono::milliseconds lease{ 30'000 };
    int mostLost = 3;
    Backoff backoff;
};

struct JobDone {
    std::string result;
};
using JobOutcome = std::variant<JobDone, JobFailure>;

// Takes a role's jobs and gives them to a handler, until it is drained. A job is done by one worker at a time
// as long as that renews its lease; a worker that was taken for dead finds its result refused.
class Worker {
public:
    // Called on the worker's threads. `lost` is requested when the job was cancelled or is another worker's
    // now: nobody wants its result.
    // `say` sends bytes to who waits, from the handler's own thread, and tells whether they were sent;
    // another worker that takes the job over sends them again.
    using Say = std::function<bool(std::string_view bytes)>;
    using Handler =
        std::function<JobOutcome(const StartedJob& job, const std::stop_token& lost, const Say& say)>;

    Worker(WorkerOptions options, Handler handler, Random& random);
    ~Worker(); // drains, and waits
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Errc::Unavailable: there is no server; later losses of the connection are waited out.
    Result<void> start();
    // It takes no more jobs, and ends when those under way have.
    void drain();
    void wait(); // until it has ended
    [[nodiscard]] bool hasEnded() const { return m_working == 0; }
    [[nodiscard]] const std::string& consumer() const { return m_lease.consumer; }
    [[nodiscard]] const WorkerFigures& figures() const { return m_figures; }

private:
    struct Held {
        StartedJob job;
        std::stop_source lost;
        SteadyTime renewed;
    };
    struct Ended { // jobs with a result that the queue does not know yet
        StartedJob job;
        std::string result;
    };
    void work();
    void workThrough(RoleQueue& queue, const RoleQueue::Taken& taken, std::vector<Ended>& ended);
    void handle(RoleQueue& queue, const StartedJob& job, std::vector<Ended>& ended);
    // Tells the queue without taking more; false: it could not be told.
    bool tellEnded(RoleQueue& queue, std::vector<Ended>& ended);
    void told(std::vector<Ended>& ended, const std::vector<bool>& counted);
    Result<RoleQueue::Taken> takeMore(RoleQueue& queue, std::vector<Ended>& ended);
    void tellPresence(RoleQueue& queue, const std::string& job) const;
    void renew();
    void tend();
    void hold(const StartedJob& job);
    std::stop_token lostToken(const StartedJob& job);
    void release(const StartedJob& job);
    void loseAll(SteadyTime before);
    void pause(std::chrono::milliseconds time);
    [[nodiscard]] std::chrono::milliseconds patience() const;

    const WorkerOptions m_options;
    const Handler m_handler;
    Random& m_random;
    Lease m_lease;
    WorkerFigures m_figures;
    std::stop_source m_draining;
    std::stop_source m_leaving; // once all jobs have ended
    std::atomic<int> m_working = 0; // threads that take jobs
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<std::string, Held> m_held; // by job and fence; guarded by m_mutex
    std::vector<std::jthread> m_workers;
    std::jthread m_renewing;
    std::jthread m_tending;
};

} // namespace sg::workers
