#pragma once

#include "core/base/clock.h"
#include "core/sandbox/e2b/service.h"

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sg::sandbox::e2b {

// The time that a sandbox has. Its service ends it then, whatever becomes of us: so nothing costs for long
// after this program was killed.
class Lease {
public:
    Lease(std::shared_ptr<Service> service, std::string id, std::chrono::seconds time);
    [[nodiscard]] WallTime endsAt();
    void setEndsAt(WallTime end);
    // Asks the service for the whole time anew. False: the sandbox has ended there.
    Result<bool> renew();

private:
    const std::shared_ptr<Service> m_service;
    const std::string m_id;
    const std::chrono::seconds m_time;
    std::mutex m_mutex;
    WallTime m_endsAt; // guarded by m_mutex
};

// Renews the leases of living sandboxes on a thread of its own, each when a third of its time is over. A
// paused sandbox has no lease. Any thread.
class TimeKeeper {
public:
    TimeKeeper();
    ~TimeKeeper();
    TimeKeeper(const TimeKeeper&) = delete;
    TimeKeeper& operator=(const TimeKeeper&) = delete;
    void add(const std::shared_ptr<Lease>& lease, std::chrono::seconds time);
    void remove(const Lease* lease); // returns when it is not being renewed any more

private:
    struct Kept {
        std::shared_ptr<Lease> lease;
        std::chrono::milliseconds every;
        SteadyTime due;
    };
    void run(const std::stop_token& stop);

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::list<Kept> m_kept; // guarded by m_mutex
    const Lease* m_renewing = nullptr; // guarded by m_mutex
    std::jthread m_thread; // last: it uses the others
};

} // namespace sg::sandbox::e2b
