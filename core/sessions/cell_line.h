#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>

namespace sg::sessions {

// CellLine is a queue of threads that want to run a cell: each gets its turn in the order of arrival. Calls
// that run beside each other share a turn: those that follow one another in the queue have theirs at once.
// Any thread.
class CellLine {
public:
    enum class Access { Alone, Shared };

    // A turn lasts until this object is destroyed. It converts to false where the wait was stopped or, when
    // no token was given, where somebody else has the turn.
    class Turn {
    public:
        Turn(CellLine& line, const std::stop_token& stop, Access access = Access::Alone)
            : m_line(line)
            , m_ticket(line.enter(stop, access))
        {
        }
        explicit Turn(CellLine& line)
            : m_line(line)
            , m_ticket(line.tryEnter())
        {
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn() { release(); }
        explicit operator bool() const { return m_ticket != 0; }

        // Ends a shared turn and waits for one alone. False: the wait was stopped.
        bool becomeAlone(const std::stop_token& stop)
        {
            release();
            m_ticket = m_line.enter(stop, Access::Alone);
            return m_ticket != 0;
        }

    private:
        void release()
        {
            if (m_ticket != 0)
                m_line.leave(m_ticket);
            m_ticket = 0;
        }

        CellLine& m_line;
        std::uint64_t m_ticket; // 0: none
    };

private:
    struct Waiting {
        std::uint64_t ticket;
        Access access;
    };

    std::uint64_t enter(const std::stop_token& stop, Access access)
    {
        std::unique_lock lock(m_mutex);
        const std::uint64_t ticket = ++m_lastTicket;
        m_waiting.push_back({ ticket, access });
        if (m_changed.wait(lock, stop, [&] { return mayGo(ticket); }))
            return ticket;
        erase(ticket);
        return 0;
    }
    std::uint64_t tryEnter()
    {
        const std::lock_guard lock(m_mutex);
        if (!m_waiting.empty())
            return 0;
        m_waiting.push_back({ ++m_lastTicket, Access::Alone });
        return m_lastTicket;
    }
    void leave(std::uint64_t ticket)
    {
        const std::lock_guard lock(m_mutex);
        erase(ticket);
    }

    // These need the mutex. Whoever has a turn stays in the queue.
    [[nodiscard]] bool mayGo(std::uint64_t ticket) const
    {
        for (const Waiting& each : m_waiting) {
            if (each.ticket == ticket)
                return each.access == Access::Shared || &each == &m_waiting.front();
            if (each.access == Access::Alone)
                return false;
        }
        return false;
    }
    void erase(std::uint64_t ticket)
    {
        std::erase_if(m_waiting, [&](const Waiting& each) { return each.ticket == ticket; });
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Waiting> m_waiting;
    std::uint64_t m_lastTicket = 0;
};

} // namespace sg::sessions
