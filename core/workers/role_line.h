#pragma once

#include "core/base/result.h"
#include "core/workers/role_queue.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace sg::workers {

// The side of a role's queue that gives jobs out and waits for their ends. Any thread. Redis may end, lose
// what it held or come back empty meanwhile: what is waited for is added again.
class RoleLine {
public:
    // Connects at the first job.
    RoleLine(QueueAddress address, QueueName name, std::string client);
    ~RoleLine();
    RoleLine(const RoleLine&) = delete;
    RoleLine& operator=(const RoleLine&) = delete;

    using Say = std::function<void(const std::string& line)>;
    // Adds the job, if it is not there already, and waits until it has ended. Errc::Cancelled: stopped, and
    // the job with it; Unavailable: there has never been a server; Unsupported: it cannot hold queues.
    // Meanwhile what the job says is given to `hear`, on the calling thread.
    using Hear = std::function<void(const std::string& bytes)>;
    Result<EndedJob> perform(NewJob job, const std::stop_token& stop, const Say& say, const Hear& hear = {});
    void forgetLater(const std::string& job); // its result is stored; does not wait
    Result<std::optional<JobState>> state(const std::string& job);

private:
    struct Waiting {
        NewJob job;
        std::vector<std::string> heard; // and not given out yet
        std::optional<EndedJob> ended;
    };
    Result<void> begin();
    void listen(const std::stop_token& stop);
    // Returns the ids among what was popped; the rest is what jobs say.
    std::vector<std::string> sorted(const std::vector<std::string>& popped);
    void look(RoleQueue& queue, const std::vector<std::string>& jobs);
    [[nodiscard]] std::vector<std::string> waitedFor();
    void addMissing(RoleQueue& queue, const std::vector<std::string>& jobs);
    void cancel(const std::string& job);
    void tellForgotten(RoleQueue& queue);

    const QueueAddress m_address;
    const QueueName m_name;
    const std::string m_replyTo;

    std::mutex m_sendMutex;
    // Guarded by m_sendMutex:
    std::unique_ptr<Redis> m_redis;
    std::unique_ptr<RoleQueue> m_queue;
    bool m_isChecked = false;

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    std::map<std::string, Waiting> m_waiting;
    std::vector<std::string> m_forgotten; // not told yet
    std::jthread m_listener;
};

} // namespace sg::workers
