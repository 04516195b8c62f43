#pragma once

#include "core/base/clock.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

namespace sg::sessions {

// When a session was used last, and how often. Any thread; nothing is called while its lock is held.
class SessionUse {
public:
    explicit SessionUse(WallTime start)
        : m_last(start)
    {
    }
    void touch(WallTime now)
    {
        const std::lock_guard lock(m_mutex);
        m_last = now;
    }
    void countCell(WallTime end)
    {
        const std::lock_guard lock(m_mutex);
        m_last = end;
        ++m_cells;
        ++m_newCells;
    }
    void countTerminal(bool isOpened)
    {
        const std::lock_guard lock(m_mutex);
        m_terminals = std::max(0, m_terminals + (isOpened ? 1 : -1));
    }
    [[nodiscard]] WallTime last() const
    {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }
    [[nodiscard]] std::int64_t cells() const
    {
        const std::lock_guard lock(m_mutex);
        return m_cells;
    }
    [[nodiscard]] bool hasTerminal() const
    {
        const std::lock_guard lock(m_mutex);
        return m_terminals > 0;
    }
    std::int64_t takeNewCells() // since the last call
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_newCells, 0);
    }

private:
    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    WallTime m_last;
    std::int64_t m_cells = 0;
    std::int64_t m_newCells = 0;
    int m_terminals = 0; // that are open
};

} // namespace sg::sessions
