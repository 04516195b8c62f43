#pragma once

#include "core/base/clock.h"
#include "core/base/redaction.h"
#include "core/base/result.h"
#include "core/sessions/runner/runner_link.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sg::sessions {

class Session;

struct TerminalSize {
    int rows = 24;
    int columns = 80;
    friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};

// A shell on a terminal in a session's sandbox, beside its interpreter: what it does is done to the live
// session. It works while a cell runs, and ends with the sandbox, with a new interpreter and with this
// object. What it shows may be anything, but holds no known secret.
class SessionTerminal {
public:
    // Errc::InvalidArgument where the sandbox has no shell, has too many terminals, or was started by an
    // older version; Unavailable where the session has no sandbox now. That it is open, and when it is over,
    // is audited.
    static Result<std::unique_ptr<SessionTerminal>> open(std::shared_ptr<Session> session, TerminalSize size);
    ~SessionTerminal();
    SessionTerminal(const SessionTerminal&) = delete;
    SessionTerminal& operator=(const SessionTerminal&) = delete;

    // What it shows next, at most about 32 KiB: the shell is stopped until all but the last 256 KiB were
    // read. Errc::Timeout when there is nothing by then; empty: it has ended. One thread.
    Result<std::string> read(SteadyTime deadline);
    // Types ahead of what runs there by 256 KiB at most, and waits for room until the deadline: how many of
    // the bytes were typed. Room is made by what read() reads; where an older program's runner tells nothing
    // of it, the limit is dropped. Any thread; one at a time keeps them in order.
    Result<std::size_t> write(std::string_view bytes, SteadyTime deadline = SteadyTime::max());
    // Any thread.
    Result<void> resize(TerminalSize size);
    // Once it has ended; nullopt: not by exit.
    [[nodiscard]] std::optional<std::int64_t> exitCode() const { return m_exit; }

private:
    SessionTerminal(std::shared_ptr<Session> session, std::shared_ptr<RunnerLink> link,
                    RunnerLink::Exchange exchange);
    Result<void> send(const char* op, ValueMap more);
    Result<std::string> readOutput(SteadyTime deadline);
    void typed(std::int64_t bytes);
    bool waitForRoom(std::unique_lock<std::mutex>& lock, SteadyTime deadline);
    void end();

    const std::shared_ptr<Session> m_session;
    const std::shared_ptr<RunnerLink> m_link; // outlives the exchange
    RunnerLink::Exchange m_exchange;
    SecretFilter m_filter;
    std::optional<std::int64_t> m_exit;
    bool m_hasEnded = false; // as the reader knows it

    std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    enum class Counting { Unknown, Yes, No };
    Counting m_counting = Counting::Unknown; // whether the runner tells what was taken
    std::optional<SteadyTime> m_fullSince; // the limit was reached first
    std::size_t m_ahead = 0; // bytes that were typed and nothing in the sandbox has taken
    bool m_takesNone = false; // it has ended
};

} // namespace sg::sessions
