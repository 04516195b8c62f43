#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::sessions {

struct HostBudgetLimits {
    int sessions = 256; // alive at once; 0: any number
    std::int64_t memoryBytes = 0; // the sum of their memory limits; 0: any
};

// What this program's sessions may take of the machine together. Those beyond it wait. Of those that wait the
// one whose thread has the fewest sessions goes first, then the one that came first: a thread that asks for
// many does not keep the others out. Any thread. Outlives the places it gives.
class HostBudget {
public:
    class Place {
    public:
        Place() = default;
        Place(Place&& other) noexcept;
        Place& operator=(Place&& other) noexcept;
        ~Place();

    private:
        friend class HostBudget;
        Place(HostBudget* budget, ThreadId thread, std::int64_t memoryBytes);
        HostBudget* m_budget = nullptr;
        ThreadId m_thread;
        std::int64_t m_memoryBytes = 0;
    };

    explicit HostBudget(const HostBudgetLimits& limits)
        : m_limits(limits)
    {
    }

    // `waiting` is called, with the reason, once there is a wait and when its place in the queue changes.
    // Errc::Cancelled: stopped meanwhile; LimitExceeded: it would never fit.
    Result<Place> enter(const ThreadId& thread, std::int64_t memoryBytes, std::stop_token stop,
                        const std::function<void(const std::string&)>& waiting);
    // Without waiting; an empty optional where there is no room.
    std::optional<Place> tryEnter(const ThreadId& thread, std::int64_t memoryBytes);
    [[nodiscard]] int waitingCount() const;

private:
    struct Waiter {
        ThreadId thread;
        std::int64_t memoryBytes = 0;
    };
    using Line = std::list<Waiter>;

    [[nodiscard]] bool fits(std::int64_t memoryBytes) const;
    [[nodiscard]] Line::const_iterator first() const;
    [[nodiscard]] int ahead(Line::const_iterator waiter) const;
    [[nodiscard]] std::string reason(int ahead) const;
    Place take(const ThreadId& thread, std::int64_t memoryBytes);
    void release(const ThreadId& thread, std::int64_t memoryBytes);

    const HostBudgetLimits m_limits;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    int m_sessions = 0;
    std::int64_t m_memoryBytes = 0;
    std::map<ThreadId, int> m_byThread;
    Line m_line; // in the order they came
};

} // namespace sg::sessions
