#pragma once

#include "core/sessions/records/folder_size.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace sg::sessions {

// A folder of this machine has no quota of its own. While code runs that may fill one, DiskWatch measures it
// again and again and stops the code where it passes the limit. One object serves one cell; any thread reads
// it.
class DiskWatch {
public:
    // `measure` is called on a thread of this object. Code that begins above
    // the limit may remove files but not add any. `stop`: the caller's own reason to stop the cell.
    DiskWatch(std::function<FolderSize()> measure, std::int64_t limit, std::int64_t usedBefore,
              const std::stop_token& stop);

    // Called once the code has ended: a folder of many files is measured so rarely that much may have come
    // since.
    void lookAtTheEnd();
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    // The size for which the code was stopped; nullopt: it was not.
    [[nodiscard]] std::optional<FolderSize> stoppedAt() const
    {
        return m_isStopped ? std::optional(FolderSize{ m_bytes, m_isWhole }) : std::nullopt;
    }

private:
    void watch(const std::stop_token& over);
    bool isOver(); // measures

    const std::function<FolderSize()> m_measure;
    const std::int64_t m_most;
    const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::stop_source m_stop;
    std::atomic<std::int64_t> m_bytes = 0;
    std::atomic<bool> m_isWhole = true;
    std::atomic<bool> m_isStopped = false; // set after the other two
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::stop_callback<std::function<void()>> m_forward;
    std::jthread m_watcher; // last member: joined before the others are destroyed
};

} // namespace sg::sessions
