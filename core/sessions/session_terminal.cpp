#include "core/sessions/session_terminal.h"

#include <algorithm>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kMostTyped = 64U << 10; // in one message

ValueMap sizeOf(TerminalSize size)
{
    return { { "rows", std::clamp(size.rows, 1, 1000) }, { "columns", std::clamp(size.columns, 1, 1000) } };
}

} // namespace

SessionTerminal::SessionTerminal(std::shared_ptr<RunnerLink> link, RunnerLink::Exchange exchange)
    : m_link(std::move(link))
    , m_exchange(std::move(exchange))
{
}

SessionTerminal::~SessionTerminal()
{
    if (!m_hasEnded)
        static_cast<void>(send("terminal_close", {})); // of a link that has ended nothing is left to close
}

Result<std::unique_ptr<SessionTerminal>> SessionTerminal::open(std::shared_ptr<RunnerLink> link,
                                                               TerminalSize size)
{
    ValueMap request = sizeOf(size);
    request.set("op", "terminal");
    auto exchange = link->begin(std::move(request));
    if (!exchange)
        return std::move(exchange.error());
    return std::unique_ptr<SessionTerminal>(new SessionTerminal(std::move(link), *std::move(exchange)));
}

Result<void> SessionTerminal::send(const char* op, ValueMap more)
{
    more.set("op", op);
    more.set("id", m_exchange.id());
    return m_link->send(more);
}

Result<std::string> SessionTerminal::read(SteadyTime deadline)
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
            // What was typed into a program that does not read is lost; the terminal goes on.
            if (problem.stringOr("type", "") == "Crowded")
                continue;
            m_hasEnded = true;
            return Error{ Errc::InvalidArgument,
                          "no terminal: " + problem.stringOr("message", "no reason given").substr(0, 1000) };
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

Result<void> SessionTerminal::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, kMostTyped);
        if (auto sent = send("terminal_input", { { "data", Bytes{ std::string(piece) } } }); !sent)
            return sent;
        bytes.remove_prefix(piece.size());
    }
    return {};
}

Result<void> SessionTerminal::resize(TerminalSize size)
{
    return send("terminal_size", sizeOf(size));
}

} // namespace sg::sessions
