#include "core/base/thread_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace sg {

ThreadPool::ThreadPool(std::size_t maxThreads)
    : m_maxThreads(std::max<std::size_t>(maxThreads, 1))
{
}

ThreadPool::~ThreadPool()
{
    std::unique_lock lock(m_mutex);
    m_closing = true;
    m_changed.notify_all();
    while (!m_threads.empty()) { // a last job may still submit and so start a thread
        std::thread thread = std::move(m_threads.back());
        m_threads.pop_back();
        lock.unlock();
        thread.join();
        lock.lock();
    }
}

void ThreadPool::submit(std::function<void()> job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
        if (m_idle >= m_jobs.size() || m_threads.size() >= m_maxThreads) {
            m_changed.notify_one();
            return;
        }
        try {
            m_threads.emplace_back([this] { work(); });
            return;
        } catch (const std::system_error&) { // the system cannot start another thread
            if (!m_threads.empty())
                return; // running threads will take the job
            job = std::move(m_jobs.back());
            m_jobs.pop_back();
        }
    }
    job();
}

void ThreadPool::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        ++m_idle;
        m_changed.wait(lock, [this] { return m_closing || !m_jobs.empty(); });
        --m_idle;
        if (m_jobs.empty())
            return;
        std::function<void()> job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        job();
        job = nullptr; // destroys its captures outside the lock
        lock.lock();
    }
}

} // namespace sg
