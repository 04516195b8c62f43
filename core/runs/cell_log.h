#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/sessions/session.h"

#include <array>

namespace sg::runs {

class Runs;

// Writes what one cell of a thread's console prints into the thread's log. It is used by one thread.
class CellLog {
public:
    static constexpr const char* kNode = "console"; // used in place of a node's name

    CellLog(Runs& runs, ThreadId thread);

    [[nodiscard]] const TaskId& cell() const { return m_cell; } // its name in the log
    WallTime add(const sessions::CellOutput& output); // returns its time
    // Ends unfinished lines, so that no later cell continues them, and writes all output to the log.
    void end();

private:
    Runs& m_runs;
    const ThreadId m_thread;
    const TaskId m_cell;
    std::array<bool, 3> m_isBegun{}; // whether a line is unfinished, by stream
};

} // namespace sg::runs
