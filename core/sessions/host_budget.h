#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/sessions/memory_ledger.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
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
    std::int64_t memoryBytes = 0; // sum of the sessions' memory limits; 0: any
    std::filesystem::path shared{}; // programs that name the same file share the memory; may be empty
};

// HostBudget limits how many sessions of this program live at once and, together with those of other
// programs, how much memory they have. Sessions beyond that wait: first goes the one whose thread holds the
// fewest sessions, then the one that came first, so that a thread that asks for many does not keep others
// out. For the first waiter, sessions that nobody uses are ended. Where runs hold all places and all wait for
// more, one of them is refused. Any thread. The budget outlives the places it gives.
class HostBudget {
public:
    // Host knows the sessions. Waiting threads call it, while no lock is held.
    struct Host {
        virtual ~Host() = default;
        // Ends a session that nobody needs now. False: there is none.
        virtual bool makeRoom(const ThreadId& forWhom) = 0;
        [[nodiscard]] virtual bool isInRun(const ThreadId& thread) const = 0;
    };

    struct Wish {
        ThreadId thread;
        std::int64_t memoryBytes = 0;
        bool isOfRun = false; // false: a person asks, while a run of the same thread may go on
    };

    class Place {
    public:
        Place() = default;
        Place(Place&& other) noexcept;
        Place& operator=(Place&& other) noexcept;
        ~Place();
        explicit operator bool() const { return m_budget != nullptr; }

    private:
        friend class HostBudget;
        Place(HostBudget* budget, ThreadId thread, std::int64_t memoryBytes, MemoryLedger::Share share);
        HostBudget* m_budget = nullptr;
        ThreadId m_thread;
        std::int64_t m_memoryBytes = 0;
        MemoryLedger::Share m_share;
    };

    // `host` outlives this; null: no room is ever made.
    explicit HostBudget(const HostBudgetLimits& limits, Host* host = nullptr);

    // Calls `waiting` with the reason when the wait begins and when the position in the queue changes.
    // Errc::Cancelled: stopped meanwhile; LimitExceeded: it would never fit, or wait for ever.
    Result<Place> enter(const Wish& wish, std::stop_token stop,
                        const std::function<void(const std::string&)>& waiting);
    // Does not wait; an empty optional where there is no room.
    std::optional<Place> tryEnter(const ThreadId& thread, std::int64_t memoryBytes);
    [[nodiscard]] int waitingCount() const;
    // True where another program waits for memory that idle sessions of this one may have.
    [[nodiscard]] bool isAnotherWaiting() const;

private:
    struct Waiter {
        Wish wish;
        std::chrono::steady_clock::time_point since;
        bool isRefused = false; // refused, so that the others can go on
    };
    using Line = std::list<Waiter>;
    using Lock = std::unique_lock<std::mutex>;

    // Called with m_mutex held:
    [[nodiscard]] bool fits(std::int64_t memoryBytes) const;
    [[nodiscard]] Line::const_iterator first() const;
    [[nodiscard]] bool isNext(Line::const_iterator waiter) const;
    [[nodiscard]] int held(const ThreadId& thread) const;
    [[nodiscard]] int ahead(Line::const_iterator waiter) const;
    [[nodiscard]] std::string reason(int ahead) const;
    [[nodiscard]] bool allHoldersWait() const;
    [[nodiscard]] Error refusal(const Wish& wish) const;
    Result<void> wait(Line::const_iterator waiter, Lock& lock, const std::stop_token& stop,
                      const std::function<void(const std::string&)>& waiting);
    bool makeRoom(Line::const_iterator waiter, Lock& lock);
    [[nodiscard]] bool othersHold() const; // other programs
    // Empty where another program took the memory first.
    std::optional<Place> take(const ThreadId& thread, std::int64_t memoryBytes);

    void release(const ThreadId& thread, std::int64_t memoryBytes);

    const HostBudgetLimits m_limits;
    const std::optional<MemoryLedger> m_ledger;
    Host* const m_host;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    int m_sessions = 0;
    std::int64_t m_memoryBytes = 0;
    std::map<ThreadId, int> m_byThread;
    Line m_line; // in the order they came
};

} // namespace sg::sessions
