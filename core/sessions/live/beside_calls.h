#pragma once

#include "core/sandbox/sandbox.h"
#include "core/sessions/cell_line.h"
#include "core/sessions/live/loss_repair.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::sessions {

// BesideCalls is what a session's calls share that run beside each other, each in a fork of the interpreter:
// they wait for a place, begin one after another, run at once, and are joined to the session one after
// another. Any thread.
class BesideCalls {
public:
    using Live = LossRepair::Live;

    explicit BesideCalls(LossRepair& repair) // which outlives this
        : m_repair(repair)
    {
    }

    // Lasts until it is destroyed. It converts to false where the wait was stopped.
    class Place {
    public:
        explicit Place(BesideCalls* calls)
            : m_calls(calls)
        {
        }
        Place(Place&& other) noexcept
            : m_calls(std::exchange(other.m_calls, nullptr))
        {
        }
        Place& operator=(Place&&) = delete;
        ~Place()
        {
            if (m_calls != nullptr)
                m_calls->leave();
        }
        explicit operator bool() const { return m_calls != nullptr; }

    private:
        BesideCalls* m_calls;
    };
    // Waits while as many calls run as the limits allow, or while the session's memory is nearly used up.
    // `memory`: a present sample; nullopt: not known.
    [[nodiscard]] Place place(const sandbox::Limits& limits,
                              const std::function<std::optional<sandbox::ResourceSample>()>& memory,
                              const std::stop_token& stop);
    [[nodiscard]] std::size_t running() const;

    // Only the holder of a turn here may use the session's repair, and call the following.
    [[nodiscard]] CellLine& step() { return m_step; }

    // Adds to the request where the runner shall run it. False: it cannot run beside others; `why` says the
    // reason.
    [[nodiscard]] bool branch(LiveSandbox& live, CellWork& work, std::string& why);
    // Brings what the call with this id has left into the session. `changed`: the session is another one now.
    [[nodiscard]] std::optional<CellError> join(LiveSandbox& live, const CellWork& work, std::int64_t call,
                                                bool keptNames, bool& changed);
    // Drops what it has left.
    static void giveUp(LiveSandbox& live, std::int64_t call);

private:
    void leave();

    LossRepair& m_repair;
    CellLine m_step;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::size_t m_running = 0; // guarded by m_mutex
};

// Returns how many calls may run beside each other. They are more than the processors, because most calls
// wait for something.
[[nodiscard]] std::size_t placesBeside(const sandbox::Limits& limits);

} // namespace sg::sessions
