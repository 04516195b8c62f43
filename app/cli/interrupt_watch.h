#pragma once

#include <csignal>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sg::cli {

// While it lives, Ctrl+C stops what the program is about instead of the program. To be made before any other
// thread: the signals are taken by one alone, and the sandboxes that are started meanwhile are spared them.
class InterruptWatch {
public:
    // Of signals beyond the first in one piece of work.
    enum class Again { EndsTheProgram, IsTheSame };

    // EndsTheProgram: SIGTERM is taken, too.
    explicit InterruptWatch(Again again = Again::EndsTheProgram);
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    ~InterruptWatch();

    // Stopped by the next signal; what came before it does not count.
    [[nodiscard]] std::stop_token begin();
    [[nodiscard]] std::stop_token token() const; // of what began last

private:
    void take(int signal);

    const Again m_again;
    sigset_t m_signals{};
    sigset_t m_before{};
    mutable std::mutex m_mutex;
    std::stop_source m_stop; // guarded by m_mutex
    std::jthread m_thread;
};

} // namespace sg::cli
