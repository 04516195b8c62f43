#include "app/cli/interrupt_watch.h"

#include <ctime>

namespace sg::cli {

bool isHangUpIgnored()
{
    struct sigaction present { };
    return ::sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

InterruptWatch::InterruptWatch(Again again)
    : m_again(again)
{
    ::sigemptyset(&m_signals);
    ::sigaddset(&m_signals, SIGINT);
    if (m_again == Again::EndsTheProgram) {
        ::sigaddset(&m_signals, SIGTERM);
        if (!isHangUpIgnored())
            ::sigaddset(&m_signals, SIGHUP);
    }
    ::pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_thread = std::jthread([this](const std::stop_token& ended) {
        const timespec slice{ 0, 100'000'000 };
        while (!ended.stop_requested())
            if (const int signal = ::sigtimedwait(&m_signals, nullptr, &slice); signal > 0)
                take(signal);
    });
}

InterruptWatch::~InterruptWatch()
{
    m_thread.request_stop();
    m_thread.join();
    ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void InterruptWatch::take(int signal)
{
    bool isFirst = false;
    {
        const std::lock_guard lock(m_mutex);
        isFirst = m_stop.request_stop();
    }
    if (isFirst || m_again == Again::IsTheSame || signal == SIGHUP)
        return;
    std::signal(signal, SIG_DFL);
    ::pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
    std::raise(signal);
}

std::stop_token InterruptWatch::begin()
{
    const std::lock_guard lock(m_mutex);
    m_stop = std::stop_source();
    return m_stop.get_token();
}

std::stop_token InterruptWatch::token() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop.get_token();
}

} // namespace sg::cli
