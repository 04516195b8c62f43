#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/host_budget.h"
#include "core/sessions/live/session_egress.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sg::sessions {

struct SessionSpec;
struct PoolOptions;

// Sandboxes of one spec started ahead, so that a session need not wait for a start. They fit a session that
// has the same in all that cannot be changed later: image, mode and folders, limits, modules. Any thread.
class WarmPool {
public:
    struct Ready {
        SessionId id;
        std::string backend;
        HostBudget::Place place; // in the machine's memory, as a session that is alive has
        SessionEgress egress; // serves it already; nothing asks yet
        std::unique_ptr<sandbox::Sandbox> sandbox; // its runner was greeted; the next greeting wakes it
    };
    // Errc::LimitExceeded: there is no room now; it is tried again later.
    using Make = std::function<Result<Ready>(const SessionSpec&, bool isResting)>;

    explicit WarmPool(Make make);
    ~WarmPool(); // ends those that wait
    WarmPool(const WarmPool&) = delete;
    WarmPool& operator=(const WarmPool&) = delete;

    void fill(const SessionSpec& spec, const PoolOptions& options);
    // One that fits; nothing where none is ready or the spec is another. Another is started in its
    // place, a moment later: the start must not hold up the first cell.
    std::optional<Ready> take(const std::string& backend, const SessionSpec& spec);
    [[nodiscard]] int readyCount() const;
    bool giveUpOne(); // room is needed; false: there is none
    void stop();

private:
    void work(const std::stop_token& stop);
    bool waitForWork(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

    const Make m_make;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    std::unique_ptr<SessionSpec> m_spec;
    int m_size = 0;
    bool m_isPaused = false;
    std::uint64_t m_generation = 0; // of the spec
    std::deque<Ready> m_ready;
    std::chrono::steady_clock::time_point m_due; // not before is another started
    bool m_hasFailed = false; // not tried again before something changes
    std::jthread m_worker;
};

} // namespace sg::sessions
