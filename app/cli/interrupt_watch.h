#pragma once

#include <csignal>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sg::cli {

// True where whoever started this program, as nohup does, wants it to outlive its terminal.
bool isHangUpIgnored();

// While an InterruptWatch lives, Ctrl+C stops the current work instead of the program. It must be made before
// any other thread: one thread takes the signals, and sandboxes started meanwhile do not get them.
class InterruptWatch {
public:
    // The effect of further signals during one piece of work.
    enum class Again { EndsTheProgram, IsTheSame };

    // EndsTheProgram also handles SIGTERM, and SIGHUP, which comes more than once where a terminal is closed
    // and ends nothing the second time.
    explicit InterruptWatch(Again again = Again::EndsTheProgram);
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    ~InterruptWatch();

    // Begins a piece of work: the token is stopped by the next signal; earlier ones do not count.
    [[nodiscard]] std::stop_token begin();
    [[nodiscard]] std::stop_token token() const; // of the work begun last

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
