#include "core/sandbox/bubblewrap/launcher_thread.h"

namespace sg::sandbox {

LauncherThread::LauncherThread()
    : m_thread([this] { work(); })
{
}

LauncherThread::~LauncherThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void LauncherThread::run(const std::function<void()>& job)
{
    const std::lock_guard caller(m_callers);
    std::unique_lock lock(m_mutex);
    m_job = &job;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_job == nullptr; });
}

void LauncherThread::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_stop || m_job; });
        if (m_stop)
            return;
        (*m_job)();
        m_job = nullptr;
        m_changed.notify_all();
    }
}

} // namespace sg::sandbox
