#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>

namespace sg::sessions {

// CellLine is a queue of threads that want to run a cell: each gets its turn in the order of arrival. Any
// thread.
class CellLine {
public:
    // A turn lasts until this object is destroyed. It converts to false where the wait was stopped or, when
    // no token was given, where somebody else has the turn.
    class Turn {
    public:
        Turn(CellLine& line, std::stop_token stop)
            : m_line(line)
            , m_isHeld(line.enter(std::move(stop)))
        {
        }
        explicit Turn(CellLine& line)
            : m_line(line)
            , m_isHeld(line.tryEnter())
        {
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn()
        {
            if (m_isHeld)
                m_line.leave();
        }
        explicit operator bool() const { return m_isHeld; }

    private:
        CellLine& m_line;
        const bool m_isHeld;
    };

private:
    bool enter(std::stop_token stop)
    {
        std::unique_lock lock(m_mutex);
        const std::uint64_t ticket = ++m_lastTicket;
        m_waiting.push_back(ticket);
        if (m_changed.wait(lock, std::move(stop), [&] { return m_waiting.front() == ticket; }))
            return true;
        std::erase(m_waiting, ticket);
        m_changed.notify_all();
        return false;
    }
    bool tryEnter()
    {
        const std::lock_guard lock(m_mutex);
        if (!m_waiting.empty())
            return false;
        m_waiting.push_back(++m_lastTicket);
        return true;
    }
    void leave()
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.pop_front();
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::uint64_t> m_waiting; // the first one has its turn
    std::uint64_t m_lastTicket = 0;
};

} // namespace sg::sessions
