#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/runner/frame.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sg::sandbox {
class DescriptorCarrier;
}

namespace sg::sessions {

// RunnerLink sends requests to a session's runner and matches the answers by id. Any thread. There is no
// reader thread: one of the threads that wait for an answer reads for all, so that an answer reaches its
// thread without a hop. A protocol violation ends the link for good: every call fails with that reason from
// then on.
class RunnerLink {
public:
    // Gets frames of no request (id 0), and things printed or shown during a request that takes no output;
    // called on whichever thread read them.
    using IdleListener = std::function<void(const Frame&)>;

    RunnerLink(sandbox::ByteStream& stream, IdleListener idle);
    RunnerLink(const RunnerLink&) = delete;
    RunnerLink& operator=(const RunnerLink&) = delete;

    // One request and its answers. It ends with this object; later answers are dropped.
    class Exchange {
    public:
        Exchange(Exchange&& other) noexcept;
        Exchange& operator=(Exchange&&) = delete;
        ~Exchange();
        [[nodiscard]] std::int64_t id() const { return m_id; }
        // Errc::Timeout: none came in time; Unavailable: the stream ended; Corrupt: the protocol was
        // violated.
        Result<Frame> next(SteadyTime deadline);

    private:
        friend class RunnerLink;
        Exchange(RunnerLink* link, std::int64_t id)
            : m_link(link)
            , m_id(id)
        {
        }
        RunnerLink* m_link;
        std::int64_t m_id;
    };

    // The session's code, threads and children may print and show things at any time, also while names are
    // written out or a module is imported again: only the requests that run code take them as their own.
    enum class Takes { Answers, OutputToo };
    // The id is added to the request.
    Result<Exchange> begin(ValueMap request, Takes takes = Takes::Answers);
    // Does the same with a duplicate of the descriptor. Errc::Unsupported if the stream cannot pass any.
    Result<Exchange> beginWith(ValueMap request, int descriptor);
    [[nodiscard]] bool carriesDescriptors() const { return m_carrier != nullptr; }
    // Hands the runner one end of a new socket pair for the request `op`, which is for `what` ("further
    // interpreters"). Errc::Unsupported: the stream passes no sockets, or the runner knows no such request.
    struct Handed {
        Fd socket; // our end
        Value answer;
    };
    Result<Handed> handSocket(const char* op, const std::string& what);
    // Reserves the id of an exchange that another request starts, to be sent with that.
    Result<Exchange> reserve();
    // One request with one answer. A "problem" becomes an error (InvalidArgument), and so does an answer
    // other than `expected` (Corrupt).
    Result<Frame> ask(ValueMap request, const char* expected, Millis timeout);
    // Sends a message that gets no answer of its own: interrupt, shutdown.
    Result<void> send(const ValueMap& message);
    // The first exchange on a connection.
    Result<Frame> hello(const ValueMap& options, Millis timeout);

    // Counts requests that may change the session although no cell or node ran code: files put there and
    // terminals; looks at names, which call methods of the user's classes.
    struct Touches {
        std::uint64_t byHand = 0;
        std::uint64_t looks = 0;
        friend bool operator==(const Touches&, const Touches&) = default;
    };
    [[nodiscard]] Touches touches() const { return { m_byHand, m_looks }; }

    // The largest frame in either direction, from now on.
    void setFrameLimit(std::size_t bytes) { m_frameLimit = bytes; }

    // Ids up to this one were used on an earlier connection.
    void skipIds(std::int64_t upTo);

    // Processes what has arrived, without waiting.
    void pump();
    // True where the link ended because another connection said hello: the runner serves only the newest.
    [[nodiscard]] bool wasSuperseded() const;
    // Returns why the link has ended.
    [[nodiscard]] std::optional<Error> failure() const;
    // Ends the link; threads that wait get `reason`.
    void close(Error reason);
    // True where a write has been blocked for longer than `limit`: the runner does not read.
    [[nodiscard]] bool writeHangs(Millis limit) const;

private:
    struct Inbox {
        std::deque<Frame> frames;
        bool takesOutput = false;
    };

    Result<Exchange> reserve(Takes takes);
    Result<void> sendWith(const ValueMap& message, const int* descriptor);
    void countTouch(const ValueMap& message);
    Result<Frame> next(std::int64_t id, SteadyTime deadline);
    void readOnce(Millis timeout, std::vector<Frame>& frames, std::optional<Error>& failure);
    void dispatch(std::vector<Frame>& frames, std::vector<Frame>& idle);
    void drop(std::int64_t id);

    sandbox::ByteStream& m_stream;
    std::atomic<std::uint64_t> m_byHand = 0;
    std::atomic<std::uint64_t> m_looks = 0;
    sandbox::DescriptorCarrier* const m_carrier; // the same stream; null where it passes none
    const IdleListener m_idle;
    std::mutex m_writeMutex;
    std::atomic<std::size_t> m_frameLimit = kMaxFrameBytes;
    std::atomic<std::int64_t> m_writingSince = 0; // steady nanoseconds, 0: no write in progress

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    std::map<std::int64_t, Inbox> m_inboxes;
    std::int64_t m_lastId = 0;
    std::size_t m_queuedBytes = 0;
    bool m_reading = false;
    bool m_superseded = false;
    std::optional<Error> m_failure;

    // Owned by the thread that set m_reading:
    FrameReader m_reader;
    std::vector<char> m_buffer;
};

} // namespace sg::sessions
