#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sg::sessions {

// A folder of this machine has no quota of its own. While code runs that may fill one, DiskWatch measures it
// again and again and stops the code where it passes the limit. One object serves one cell; any thread reads
// it.
class DiskWatch {
public:
    // `measure` returns the folder's bytes and is called on a thread of this object. Code that begins above
    // the limit may remove files but not add any. `stop`: the caller's own reason to stop the cell.
    DiskWatch(std::function<std::int64_t()> measure, std::int64_t limit, std::int64_t usedBefore,
              const std::stop_token& stop);

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    // The bytes that the folder held when its code was stopped for them; 0: it was not stopped.
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
    std::jthread m_watcher; // last member: joined before the others are destroyed
};

} // namespace sg::sessions
