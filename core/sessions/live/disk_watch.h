#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sg::sessions {

// A folder of this machine has no quota of its own: while code runs that may fill one, this looks at its size
// again and again and stops the code where it passes the limit. One cell's; any thread reads it.
class DiskWatch {
public:
    // `measure`: its bytes, on a thread of this object's. Code that begins above the limit may remove files,
    // but not add any. `stop`: of whoever wants the cell stopped for another reason.
    DiskWatch(std::function<std::int64_t()> measure, std::int64_t limit, std::int64_t usedBefore,
              const std::stop_token& stop);

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    // Bytes that it held when the code was stopped for them; 0: it was not.
    [[nodiscard]] std::int64_t stoppedAt() const { return m_stoppedAt; }

private:
    void watch(const std::stop_token& over);

    const std::function<std::int64_t()> m_measure;
    const std::int64_t m_most;
    std::stop_source m_stop;
    std::atomic<std::int64_t> m_stoppedAt = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::stop_callback<std::function<void()>> m_forward;
    std::jthread m_watcher; // last: ends first
};

} // namespace sg::sessions
