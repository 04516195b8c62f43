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

// SessionTerminal is a shell on a terminal in a session's sandbox: it works on the live session, also while a
// cell runs. It ends with the sandbox, with the interpreter and with this object. Its output may be anything,
// but known secrets are removed.
class SessionTerminal {
public:
    // Errc::InvalidArgument: the sandbox has no shell, has too many terminals, or was started by an older
    // version; Unavailable: the session has no sandbox now. Opening and closing are audited.
    static Result<std::unique_ptr<SessionTerminal>> open(std::shared_ptr<Session> session, TerminalSize size);
    ~SessionTerminal();
    SessionTerminal(const SessionTerminal&) = delete;
    SessionTerminal& operator=(const SessionTerminal&) = delete;

    // Its next output, at most about 32 KiB; the shell is stopped while more than 256 KiB are unread.
    // Errc::Timeout: there was none in time; empty: it has ended. One thread.
    Result<std::string> read(SteadyTime deadline);
    // Types bytes and returns how many were taken by the deadline: at most 256 KiB wait until a program in
    // the sandbox reads them. read() must go on meanwhile, as it learns what was taken; the limit is dropped
    // for an older runner, which does not report that. Any thread; bytes stay in order only with one at a
    // time.
    Result<std::size_t> write(std::string_view bytes, SteadyTime deadline = SteadyTime::max());
    // Any thread.
    Result<void> resize(TerminalSize size);
    // Set once the shell has exited; nullopt: it runs, or ended otherwise.
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
    Counting m_counting = Counting::Unknown; // whether the runner reports what was taken
    std::optional<SteadyTime> m_fullSince; // when the limit was first reached
    std::size_t m_ahead = 0; // bytes typed that nothing has taken yet
    bool m_takesNone = false; // the shell has ended
};

} // namespace sg::sessions
