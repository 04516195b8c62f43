#include "core/engine/out/run_publisher.h"

namespace sg::engine {

RunPublisher::RunPublisher(const EventListener& listener, const Clock& clock, ThreadId thread, RunId run)
    : m_listener(listener)
    , m_clock(clock)
    , m_thread(std::move(thread))
    , m_run(std::move(run))
{
}

void RunPublisher::publish(RunEventBody body)
{
    if (!m_listener)
        return;
    const std::lock_guard lock(m_mutex);
    m_listener({ ++m_sequence, m_clock.now(), m_thread, m_run, std::move(body) });
}

std::string runStatusName(RunStatus status)
{
    switch (status) {
    case RunStatus::Running: return "running";
    case RunStatus::Done: return "done";
    case RunStatus::Interrupted: return "interrupted";
    case RunStatus::Failed: return "failed";
    case RunStatus::Stopped: return "stopped";
    case RunStatus::RecursionLimit: return "recursion_limit";
    }
    return {};
}

std::string taskOutcomeName(TaskFinished::Outcome outcome)
{
    switch (outcome) {
    case TaskFinished::Outcome::Done: return "done";
    case TaskFinished::Outcome::Failed: return "failed";
    case TaskFinished::Outcome::Interrupted: return "interrupted";
    case TaskFinished::Outcome::Cached: return "cached";
    case TaskFinished::Outcome::Stopped: return "stopped";
    }
    return {};
}

} // namespace sg::engine
