#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace sg::sandbox {

// LauncherThread starts every sandbox of a backend. A process started with "die with its parent" dies with
// the parent *thread*, so a pool's thread that may end earlier must not start it. Shared by the backend and
// its sandboxes.
class LauncherThread {
public:
    LauncherThread();
    ~LauncherThread();
    LauncherThread(const LauncherThread&) = delete;
    LauncherThread& operator=(const LauncherThread&) = delete;

    void run(const std::function<void()>& job); // returns when the job is done; any thread

private:
    void work();

    std::mutex m_callers; // one caller at a time
    std::mutex m_mutex;
    std::condition_variable m_changed;
    const std::function<void()>* m_job = nullptr; // guarded by m_mutex
    bool m_stop = false; // guarded by m_mutex
    std::thread m_thread;
};

} // namespace sg::sandbox
