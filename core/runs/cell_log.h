#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/sessions/session.h"

#include <array>

namespace sg::runs {

class Runs;

// What one cell of a thread's console prints, on its way into the thread's log. One thread.
class CellLog {
public:
    static constexpr const char* kNode = "console"; // where nodes have their names

    CellLog(Runs& runs, ThreadId thread);

    [[nodiscard]] const TaskId& cell() const { return m_cell; } // as the log names it
    WallTime add(const sessions::CellOutput& output); // when it was
    // Ends lines that are begun: no later cell goes on with them. All is in the log then, for other programs
    // too.
    void end();

private:
    Runs& m_runs;
    const ThreadId m_thread;
    const TaskId m_cell;
    std::array<bool, 3> m_isBegun{}; // a line, by stream
};

} // namespace sg::runs
