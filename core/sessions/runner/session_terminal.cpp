#include "core/sessions/runner/session_terminal.h"

#include "core/sessions/session.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kMostTyped = 64U << 10; // in one message
constexpr std::size_t kMostAhead = 256U << 10;
// A runner that reports how much was taken does so with the first bytes; one of an older program never does.
constexpr std::chrono::seconds kFirstCount{ 2 };

ValueMap sizeOf(TerminalSize size)
{
    return { { "rows", std::clamp(size.rows, 1, 1000) }, { "columns", std::clamp(size.columns, 1, 1000) } };
}

} // namespace

SessionTerminal::SessionTerminal(std::shared_ptr<Session> session, std::shared_ptr<RunnerLink> link,
                                 RunnerLink::Exchange exchange)
    : m_session(std::move(session))
    , m_link(std::move(link))
    , m_exchange(std::move(exchange))
{
    m_session->noteTerminal(Session::Terminal::Opened);
}

SessionTerminal::~SessionTerminal()
{
    if (!m_hasEnded)
        static_cast<void>(send("terminal_close", {})); // a link that has ended has closed the terminal
    m_session->noteTerminal(Session::Terminal::Closed);
}

Result<std::unique_ptr<SessionTerminal>> SessionTerminal::open(std::shared_ptr<Session> session,
                                                               TerminalSize size)
{
    auto link = session->link();
    if (!link)
        return Error{ Errc::Unavailable, "the session has no running sandbox" };
    ValueMap request = sizeOf(size);
    request.set("op", "terminal");
    auto exchange = link->begin(std::move(request));
    if (!exchange)
        return std::move(exchange.error());
    return std::unique_ptr<SessionTerminal>(
        new SessionTerminal(std::move(session), std::move(link), *std::move(exchange)));
}

Result<void> SessionTerminal::send(const char* op, ValueMap more)
{
    more.set("op", op);
    more.set("id", m_exchange.id());
    return m_link->send(more);
}

void SessionTerminal::typed(std::int64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_counting = Counting::Yes;
    m_ahead -= std::min(m_ahead, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)));
    m_changed.notify_all();
}

void SessionTerminal::end()
{
    const std::lock_guard lock(m_mutex);
    m_takesNone = true;
    m_changed.notify_all();
}

Result<std::string> SessionTerminal::read(SteadyTime deadline)
{
    auto shown = readOutput(deadline);
    if (m_hasEnded || (!shown && shown.error().code != Errc::Timeout))
        end();
    return shown;
}

Result<std::string> SessionTerminal::readOutput(SteadyTime deadline)
{
    while (!m_hasEnded) {
        auto frame = m_exchange.next(deadline);
        if (!frame)
            return std::move(frame.error());
        if (frame->event == "terminal_ended") {
            m_hasEnded = true;
            if (const Value& code = frame->body["exit"]; code.isInt())
                m_exit = code.asInt();
            return m_filter.finish();
        }
        if (frame->event == "problem") {
            const Value& problem = frame->body["error"];
            m_hasEnded = true;
            return Error{ Errc::InvalidArgument,
                          "no terminal: " + problem.stringOr("message", "no reason given").substr(0, 1000) };
        }
        if (frame->event == "terminal_typed") {
            typed(frame->body.intOr("bytes", 0));
            continue;
        }
        const Value& data = frame->body["data"];
        if (frame->event != "terminal_output" || !data.isBytes()) {
            m_hasEnded = true;
            return Error{ Errc::Corrupt, "the session's runner broke the protocol: no output of a terminal" };
        }
        const std::string& bytes = data.asBytes();
        if (auto taken = send("terminal_taken", { { "bytes", static_cast<std::int64_t>(bytes.size()) } });
            !taken)
            return std::move(taken.error());
        if (std::string shown = m_filter.push(bytes); !shown.empty())
            return shown;
    }
    return std::string();
}

// False: the deadline came first. True: there is room, the shell has ended, or the runner reports nothing.
bool SessionTerminal::waitForRoom(std::unique_lock<std::mutex>& lock, SteadyTime deadline)
{
    const auto canGoOn = [this] { return m_takesNone || m_ahead < kMostAhead || m_counting == Counting::No; };
    if (canGoOn())
        return true;
    if (m_counting == Counting::Unknown && !m_fullSince)
        m_fullSince = std::chrono::steady_clock::now();
    while (m_counting == Counting::Unknown) {
        const SteadyTime decided = *m_fullSince + kFirstCount;
        const auto isTold = [&] { return canGoOn() || m_counting == Counting::Yes; };
        if (m_changed.wait_until(lock, std::min(deadline, decided), isTold))
            break;
        if (decided > deadline)
            return false;
        m_counting = Counting::No;
    }
    if (deadline != SteadyTime::max())
        return m_changed.wait_until(lock, deadline, canGoOn);
    m_changed.wait(lock, canGoOn);
    return true;
}

Result<std::size_t> SessionTerminal::write(std::string_view bytes, SteadyTime deadline)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        std::unique_lock lock(m_mutex);
        if (!waitForRoom(lock, deadline))
            break;
        if (m_takesNone)
            return Error{ Errc::Unavailable, "the shell has ended" };
        const std::size_t room = m_ahead < kMostAhead ? kMostAhead - m_ahead : kMostTyped;
        const std::string_view piece = bytes.substr(done, std::min(kMostTyped, room));
        m_ahead += piece.size();
        lock.unlock();
        if (auto sent = send("terminal_input", { { "data", Bytes{ std::string(piece) } } }); !sent)
            return std::move(sent.error());
        done += piece.size();
    }
    return done;
}

Result<void> SessionTerminal::resize(TerminalSize size)
{
    return send("terminal_size", sizeOf(size));
}

} // namespace sg::sessions
