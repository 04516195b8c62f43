#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sg {

// Runs jobs on at most `maxThreads` threads, which are started when work waits and none is idle. Jobs start
// in the order of submission and must not throw. The destructor runs all submitted jobs, then joins: a job
// that may block needs its own way to stop.
class ThreadPool {
public:
    explicit ThreadPool(std::size_t maxThreads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    // Any thread may submit, also a job.
    void submit(std::function<void()> job);

    [[nodiscard]] std::size_t maxThreads() const { return m_maxThreads; }

private:
    void work();

    const std::size_t m_maxThreads;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    std::deque<std::function<void()>> m_jobs;
    std::vector<std::thread> m_threads;
    std::size_t m_idle = 0;
    bool m_closing = false;
};

} // namespace sg
