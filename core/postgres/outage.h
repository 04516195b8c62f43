#pragma once

#include "core/base/result.h"

#include <chrono>
#include <mutex>
#include <string>

namespace sg::postgres {

// Outage limits how long one store tries to reach a server that is away: once for the whole time that it is
// away, whichever operation notices it. An operation that begins later fails at once, until one of them
// succeeds. Any thread.
class Outage {
public:
    using Clock = std::chrono::steady_clock;

    Outage(std::string shown, int patienceMs)
        : m_shown(std::move(shown))
        , m_patience(patienceMs)
    {
    }
    // An operation found that the server is away. Returns until when it is worth another try. The first to
    // find it tells the log.
    [[nodiscard]] Clock::time_point waitsUntil();
    void ended(); // an operation succeeded

private:
    const std::string m_shown;
    const std::chrono::milliseconds m_patience;
    std::mutex m_mutex;
    // guarded by m_mutex
    Clock::time_point m_end{}; // none: the server answered last time
    Clock::time_point m_noticed{}; // last
};

// Returns the error for those who use a store. Within this module and the stores Errc::Unavailable says that
// the server is away and another try may help; for their users it means that there is no sandbox: Errc::Io.
[[nodiscard]] Error asTold(Error error);

} // namespace sg::postgres
