#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace sg::checkpoint {

// The steps that take back a failed transaction; outside one nothing is noted. The owner's mutex guards it.
class UndoList {
public:
    [[nodiscard]] bool isNoting() const { return m_depth > 0; }

    template<typename Step>
    void note(Step step)
    {
        if (isNoting())
            m_steps.emplace_back(std::move(step));
    }

    // Nested transactions are part of the outermost.
    void begin() { ++m_depth; }
    void end(bool succeeded)
    {
        if (--m_depth > 0)
            return;
        const auto steps = std::exchange(m_steps, {});
        if (succeeded)
            return;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step)
            (*step)();
    }

private:
    std::vector<std::function<void()>> m_steps;
    int m_depth = 0;
};

} // namespace sg::checkpoint
