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

// WarmPool starts sandboxes of one spec ahead, so that a session need not wait for a start. They fit a
// session that is the same in all that cannot be changed later: image, mode, folders, limits, modules. Any
// thread.
class WarmPool {
public:
    struct Ready {
        SessionId id;
        std::string backend;
        HostBudget::Place place; // counts like a living session's
        SessionEgress egress; // its proxy runs already, without requests
        std::unique_ptr<sandbox::Sandbox> sandbox; // greeted; the next greeting wakes its runner

        Ready() = default;
        Ready(Ready&&) = default;
        Ready& operator=(Ready&&) = default;
        // Ends a sandbox that nobody has taken, also one that could outlive this program.
        ~Ready()
        {
            if (sandbox)
                sandbox->end();
        }
    };
    // Errc::LimitExceeded: there is no room now; the pool tries again later.
    using Make = std::function<Result<Ready>(const SessionSpec&, bool isResting)>;

    explicit WarmPool(Make make);
    ~WarmPool(); // ends those that wait
    WarmPool(const WarmPool&) = delete;
    WarmPool& operator=(const WarmPool&) = delete;

    void fill(const SessionSpec& spec, const PoolOptions& options);
    // Returns a sandbox that fits; nullopt where none is ready or the spec differs. A replacement is started
    // a moment later, so as not to hold up the first cell.
    std::optional<Ready> take(const std::string& backend, const SessionSpec& spec);
    [[nodiscard]] int readyCount() const;
    bool giveUpOne(); // for a session that waits; false: none to give up
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
    std::chrono::steady_clock::time_point m_due; // no sandbox is started before this
    bool m_hasFailed = false; // not tried again before something changes
    std::jthread m_worker;
};

} // namespace sg::sessions
