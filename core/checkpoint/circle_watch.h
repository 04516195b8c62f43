#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace sg::checkpoint {

// Notices that a walk from a checkpoint to its parent, and on to that one's, goes in a circle, which only a
// damaged or crafted file has. It remembers a single place (Brent's method), so a walk may be long.
class CircleWatch {
public:
    // Is called with each checkpoint of the walk. Returns true after at most a few rounds of the circle.
    bool closes(const CheckpointId& id)
    {
        if (id == m_mark)
            return true;
        if (++m_steps == m_next) {
            m_mark = id;
            m_steps = 0;
            m_next *= 2;
        }
        return false;
    }

private:
    CheckpointId m_mark;
    std::uint64_t m_steps = 0;
    std::uint64_t m_next = 1;
};

inline Error circleError(const std::string& thread)
{
    return { Errc::Corrupt,
             "the file is damaged: checkpoints of thread '" + thread
                 + "' are each other's parents. Take a copy of it from before, or begin another thread" };
}

} // namespace sg::checkpoint
