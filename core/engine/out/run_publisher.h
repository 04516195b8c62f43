#pragma once

#include "core/engine/engine.h"

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace sg::engine {

// Numbers a run's events and hands them to its listener, one at a time. Any thread may publish.
class RunPublisher {
public:
    RunPublisher(const EventListener& listener, const Clock& clock, ThreadId thread, RunId run);

    [[nodiscard]] bool isHeard() const { return static_cast<bool>(m_listener); }
    void publish(RunEventBody body);

private:
    // Constant after construction:
    const EventListener& m_listener;
    const Clock& m_clock;
    const ThreadId m_thread;
    const RunId m_run;
    std::mutex m_mutex;
    std::uint64_t m_sequence = 0; // guarded by m_mutex
};

} // namespace sg::engine
