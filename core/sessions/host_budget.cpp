#include "core/sessions/host_budget.h"

#include <utility>

namespace sg::sessions {

HostBudget::Place::Place(HostBudget* budget, ThreadId thread, std::int64_t memoryBytes)
    : m_budget(budget)
    , m_thread(std::move(thread))
    , m_memoryBytes(memoryBytes)
{
}

HostBudget::Place::Place(Place&& other) noexcept
    : m_budget(std::exchange(other.m_budget, nullptr))
    , m_thread(std::move(other.m_thread))
    , m_memoryBytes(other.m_memoryBytes)
{
}

HostBudget::Place& HostBudget::Place::operator=(Place&& other) noexcept
{
    std::swap(m_budget, other.m_budget);
    std::swap(m_thread, other.m_thread);
    std::swap(m_memoryBytes, other.m_memoryBytes);
    return *this;
}

HostBudget::Place::~Place()
{
    if (m_budget != nullptr)
        m_budget->release(m_thread, m_memoryBytes);
}

bool HostBudget::fits(std::int64_t memoryBytes) const
{
    return (m_limits.sessions == 0 || m_sessions < m_limits.sessions)
        && (m_limits.memoryBytes == 0 || m_memoryBytes + memoryBytes <= m_limits.memoryBytes);
}

// One too large for the room there is holds up those behind it, or it would wait for ever.
HostBudget::Line::const_iterator HostBudget::first() const
{
    const auto held = [&](const ThreadId& thread) {
        const auto found = m_byThread.find(thread);
        return found == m_byThread.end() ? 0 : found->second;
    };
    auto best = m_line.begin();
    for (auto waiter = m_line.begin(); waiter != m_line.end(); ++waiter)
        if (held(waiter->thread) < held(best->thread))
            best = waiter;
    return best;
}

int HostBudget::ahead(Line::const_iterator waiter) const
{
    return first() == waiter ? 0 : static_cast<int>(std::distance(m_line.begin(), waiter));
}

std::string HostBudget::reason(int ahead) const
{
    std::string text = "waits for room on this machine: " + std::to_string(m_sessions)
        + (m_sessions == 1 ? " session is" : " sessions are") + " alive";
    if (m_limits.sessions > 0)
        text += ", at most " + std::to_string(m_limits.sessions);
    if (m_limits.memoryBytes > 0)
        text += "; " + std::to_string(m_memoryBytes >> 20) + " of "
            + std::to_string(m_limits.memoryBytes >> 20) + " MiB are given away";
    return text + (ahead > 0 ? "; " + std::to_string(ahead) + " came before" : "");
}

HostBudget::Place HostBudget::take(const ThreadId& thread, std::int64_t memoryBytes)
{
    ++m_sessions;
    m_memoryBytes += memoryBytes;
    ++m_byThread[thread];
    return { this, thread, memoryBytes };
}

void HostBudget::release(const ThreadId& thread, std::int64_t memoryBytes)
{
    const std::lock_guard lock(m_mutex);
    --m_sessions;
    m_memoryBytes -= memoryBytes;
    if (--m_byThread[thread] == 0)
        m_byThread.erase(thread);
    m_changed.notify_all();
}

Result<HostBudget::Place> HostBudget::enter(const ThreadId& thread, std::int64_t memoryBytes,
                                            std::stop_token stop,
                                            const std::function<void(const std::string&)>& waiting)
{
    std::unique_lock lock(m_mutex);
    if (m_limits.memoryBytes > 0 && memoryBytes > m_limits.memoryBytes)
        return Error{ Errc::LimitExceeded,
                      "a session of " + std::to_string(memoryBytes >> 20)
                          + " MiB does not fit: all sessions of this machine together may have "
                          + std::to_string(m_limits.memoryBytes >> 20)
                          + " MiB. Lower its memory limit, or raise SANDGLASS_SESSIONS_MEMORY_MB" };
    const auto waiter = m_line.insert(m_line.end(), { thread, memoryBytes });
    int said = -1;
    while (!(first() == Line::const_iterator(waiter) && fits(memoryBytes))) {
        if (const int place = ahead(waiter); place != said) {
            said = place;
            const std::string text = reason(place);
            lock.unlock();
            if (waiting)
                waiting(text);
            lock.lock();
            continue; // things may have changed meanwhile
        }
        // Woken by whoever leaves and by whoever joins.
        m_changed.wait(lock, stop, [&] {
            return (first() == Line::const_iterator(waiter) && fits(memoryBytes)) || ahead(waiter) != said;
        });
        if (stop.stop_requested()) {
            m_line.erase(waiter);
            m_changed.notify_all();
            return Error{ Errc::Cancelled, "stopped while it waited for room on this machine" };
        }
    }
    m_line.erase(waiter);
    Place place = take(thread, memoryBytes);
    m_changed.notify_all();
    return place;
}

std::optional<HostBudget::Place> HostBudget::tryEnter(const ThreadId& thread, std::int64_t memoryBytes)
{
    const std::lock_guard lock(m_mutex);
    if (!m_line.empty() || !fits(memoryBytes))
        return std::nullopt;
    return take(thread, memoryBytes);
}

int HostBudget::waitingCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_line.size());
}

} // namespace sg::sessions
