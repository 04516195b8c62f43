#include "core/sessions/manager/warm_pool.h"

#include "core/base/log.h"
#include "core/sessions/manager/session_manager.h"

#include <utility>

namespace sg::sessions {
namespace {

constexpr std::chrono::milliseconds kAfterTaking{ 250 };
constexpr std::chrono::seconds kWithoutRoom{ 5 };

// A pooled sandbox fits any session with the same spec, whatever its part and lifetime.
SessionSpec pooled(SessionSpec spec)
{
    spec.part = {};
    spec.lifetime = {};
    return spec;
}

bool canWait(const SessionSpec& spec)
{
    return spec.mode.storage == SessionStorage::Tmpfs;
}

} // namespace

WarmPool::WarmPool(Make make)
    : m_make(std::move(make))
{
}

WarmPool::~WarmPool()
{
    stop();
}

void WarmPool::stop()
{
    m_worker.request_stop();
    if (m_worker.joinable())
        m_worker.join();
    std::deque<Ready> ended;
    const std::lock_guard lock(m_mutex);
    m_size = 0;
    ended.swap(m_ready);
}

void WarmPool::fill(const SessionSpec& spec, const PoolOptions& options)
{
    std::deque<Ready> unfit; // ended outside of the lock
    const std::lock_guard lock(m_mutex);
    const SessionSpec wanted = pooled(spec);
    const int size = canWait(spec) ? options.size : 0;
    if (!m_spec || !(*m_spec == wanted)) {
        m_spec = std::make_unique<SessionSpec>(wanted);
        ++m_generation;
        unfit.swap(m_ready);
    }
    for (; static_cast<int>(m_ready.size()) > size; m_ready.pop_back())
        unfit.push_back(std::move(m_ready.back()));
    m_size = size;
    m_isPaused = options.paused;
    m_hasFailed = false;
    if (size > 0 && !m_worker.joinable())
        m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
    m_changed.notify_all();
}

std::optional<WarmPool::Ready> WarmPool::take(const std::string& backend, const SessionSpec& spec)
{
    while (true) {
        Ready ready;
        {
            const std::lock_guard lock(m_mutex);
            if (m_ready.empty() || m_ready.front().backend != backend || !(*m_spec == pooled(spec)))
                return std::nullopt;
            ready = std::move(m_ready.front());
            m_ready.pop_front();
            m_due = std::chrono::steady_clock::now() + kAfterTaking;
            m_hasFailed = false;
        }
        m_changed.notify_all();
        if (ready.sandbox->state() == sandbox::SandboxEnd::Running)
            return ready;
    }
}

int WarmPool::readyCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_ready.size());
}

bool WarmPool::giveUpOne()
{
    std::optional<Ready> ended; // outside of the lock
    const std::lock_guard lock(m_mutex);
    if (m_ready.empty())
        return false;
    ended = std::move(m_ready.back());
    m_ready.pop_back();
    m_due = std::chrono::steady_clock::now() + kWithoutRoom;
    return true;
}

bool WarmPool::waitForWork(std::unique_lock<std::mutex>& lock, const std::stop_token& stop)
{
    const auto isWork = [this] { return !m_hasFailed && static_cast<int>(m_ready.size()) < m_size; };
    while (m_changed.wait(lock, stop, isWork) && !stop.stop_requested()) {
        if (std::chrono::steady_clock::now() >= m_due)
            return true;
        const auto due = m_due;
        m_changed.wait_until(lock, stop, due, [] { return false; });
    }
    return false;
}

void WarmPool::work(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (waitForWork(lock, stop)) {
        const SessionSpec spec = *m_spec;
        const std::uint64_t generation = m_generation;
        const bool isPaused = m_isPaused;
        lock.unlock();
        auto ready = m_make(spec, isPaused);
        lock.lock();
        if (!ready && ready.error().code == Errc::LimitExceeded) {
            m_due = std::chrono::steady_clock::now() + kWithoutRoom;
        } else if (!ready) {
            logMessage(LogLevel::Warning, ready.error().message);
            m_hasFailed = true;
        } else if (generation == m_generation && static_cast<int>(m_ready.size()) < m_size) {
            m_ready.push_back(std::move(*ready));
        } else {
            lock.unlock();
            ready = Error{ Errc::Cancelled, "another spec is wanted by now" };
            lock.lock();
        }
    }
}

} // namespace sg::sessions
