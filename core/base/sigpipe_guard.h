#pragma once

#include <csignal>
#include <ctime>

namespace sg {

// Keeps a child that closes its stdin early from ending this program: it blocks SIGPIPE for this thread, and
// removes the one that a write has raised.
class SigpipeGuard {
public:
    SigpipeGuard()
    {
        ::sigemptyset(&m_pipe);
        ::sigaddset(&m_pipe, SIGPIPE);
        sigset_t pending;
        ::sigpending(&pending);
        m_wasPending = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    ~SigpipeGuard()
    {
        if (!m_wasPending) {
            const timespec now{};
            ::sigtimedwait(&m_pipe, nullptr, &now);
        }
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    SigpipeGuard(const SigpipeGuard&) = delete;
    SigpipeGuard& operator=(const SigpipeGuard&) = delete;

private:
    sigset_t m_pipe{};
    sigset_t m_before{};
    bool m_wasPending = false;
};

} // namespace sg
