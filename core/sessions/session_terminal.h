#pragma once

#include "core/base/clock.h"
#include "core/base/redaction.h"
#include "core/base/result.h"
#include "core/sessions/runner_link.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sg::sessions {

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
    // older version.
    static Result<std::unique_ptr<SessionTerminal>> open(std::shared_ptr<RunnerLink> link, TerminalSize size);
    ~SessionTerminal();
    SessionTerminal(const SessionTerminal&) = delete;
    SessionTerminal& operator=(const SessionTerminal&) = delete;

    // What it shows next, at most about 32 KiB: the shell is stopped until all but the last 256 KiB were
    // read. Errc::Timeout when there is nothing by then; empty: it has ended. One thread.
    Result<std::string> read(SteadyTime deadline);
    // Any thread.
    Result<void> write(std::string_view bytes);
    Result<void> resize(TerminalSize size);
    // Once it has ended; nullopt: not by exit.
    [[nodiscard]] std::optional<std::int64_t> exitCode() const { return m_exit; }

private:
    SessionTerminal(std::shared_ptr<RunnerLink> link, RunnerLink::Exchange exchange);
    Result<void> send(const char* op, ValueMap more);

    const std::shared_ptr<RunnerLink> m_link; // outlives the exchange
    RunnerLink::Exchange m_exchange;
    SecretFilter m_filter;
    std::optional<std::int64_t> m_exit;
    bool m_hasEnded = false;
};

} // namespace sg::sessions
