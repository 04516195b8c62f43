#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace sg::sessions {
class Session;
}

namespace sg::servers::e2b {

// Reaches the agent in a session's sandbox (resources/sandbox/agent.py), which runs commands and looks after
// files with the rights of the session's code. What it says is as little to be trusted as that code. Any
// thread.
class AgentLink {
public:
    // Starts an agent. Errc::Unsupported: the sandbox's stream carries no descriptors.
    static Result<std::shared_ptr<AgentLink>> open(sessions::Session& session, const Value& environment);
    ~AgentLink();
    AgentLink(const AgentLink&) = delete;
    AgentLink& operator=(const AgentLink&) = delete;

    // A request and what the agent says to it. Its end lets go of what is still to come.
    class Call {
    public:
        Call(AgentLink& link, std::int64_t id)
            : m_link(&link)
            , m_id(id)
        {
        }
        Call(Call&& other) noexcept
            : m_link(std::exchange(other.m_link, nullptr))
            , m_id(other.m_id)
        {
        }
        Call& operator=(Call&&) = delete;
        ~Call();
        Fd takePassed(); // what came with the "connected", "ready" or "size" that next() returned last
        // A "problem" is an error. Errc::Timeout, Cancelled (by `stop`), Unavailable (the sandbox has ended).
        Result<Value> next(const std::stop_token& stop, SteadyTime deadline = SteadyTime::max());
        // Does the same for an answer that the agent gives at once. An agent that says nothing at all has
        // been stopped by the code beside it: the link fails, so that a new agent takes its place.
        Result<Value> nextSoon(const std::stop_token& stop);
        Result<void> send(ValueMap more) const; // with the same id

    private:
        AgentLink* m_link;
        const std::int64_t m_id;
    };
    Result<Call> begin(ValueMap request);
    Result<Value> ask(ValueMap request, const std::stop_token& stop = {}); // one answer
    // A connection to a server in the sandbox. Errc::NotFound: nothing listens there.
    Result<Fd> connect(std::int64_t port, const std::stop_token& stop);
    [[nodiscard]] bool isOver();

private:
    explicit AgentLink(Fd socket);
    struct Inbox {
        std::deque<Value> said;
        std::size_t bytes = 0;
        Fd passed; // a socket of the sandbox
    };
    bool isAnswering();
    void readAll(const std::stop_token& stop);
    ssize_t receive(std::vector<char>& buffer, std::deque<Fd>& passed) const;
    bool take(std::string_view frame, std::deque<Fd>& passed);
    void fail(const char* why);
    Result<void> send(const ValueMap& message);

    const Fd m_socket;
    std::mutex m_sending;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    std::map<std::int64_t, Inbox> m_inboxes;
    std::int64_t m_lastId = 0;
    std::optional<Error> m_failure;
    std::jthread m_reader;
};

// A stream of bytes that an agent passed, for one transfer. The other end may be anything but a file.
class AgentStream {
public:
    static Result<AgentStream> of(Fd passed); // Errc::Corrupt: it is none
    // Errc::Unavailable: the other end has closed, takes nothing, or gives nothing; Cancelled.
    Result<void> write(std::string_view bytes, const std::stop_token& stop);
    // Returns the number of bytes; 0: the end.
    Result<std::size_t> read(char* buffer, std::size_t size, const std::stop_token& stop);
    void endWriting();

private:
    explicit AgentStream(Fd socket)
        : m_socket(std::move(socket))
    {
    }
    Result<void> wait(short events, const std::stop_token& stop);
    Fd m_socket;
};

} // namespace sg::servers::e2b
