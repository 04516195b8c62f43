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

} // namespace sg::engine
