#pragma once

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
#include <vector>

namespace sg::sandbox {
class DescriptorCarrier;
}

namespace sg::sessions {

// Requests to a session's runner and what comes back, told apart by id. Any thread. There is no reader
// thread: of those who wait for an answer one reads for all, so that an answer reaches its thread without a
// hop. Anything that breaks the protocol ends the link for good: every call fails with that reason from then
// on.
class RunnerLink {
public:
    // Frames that belong to no request (id 0), and what is printed or shown while one is under way that takes
    // no output, on whichever thread read them.
    using IdleListener = std::function<void(const Frame&)>;

    RunnerLink(sandbox::ByteStream& stream, IdleListener idle);
    RunnerLink(const RunnerLink&) = delete;
    RunnerLink& operator=(const RunnerLink&) = delete;

    // One request and its answers. Ends with this object; what comes later is dropped.
    class Exchange {
    public:
        Exchange(Exchange&& other) noexcept;
        Exchange& operator=(Exchange&&) = delete;
        ~Exchange();
        [[nodiscard]] std::int64_t id() const { return m_id; }
        // Errc::Timeout when none came in time; Unavailable when the stream ended, Corrupt for a broken
        // protocol.
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

    // The session's code, its threads and its children print and show things at any time, also while its
    // names are written out or a module is imported again: only who runs code takes that for its own.
    enum class Takes { Answers, OutputToo };
    // The id is added to the request.
    Result<Exchange> begin(ValueMap request, Takes takes = Takes::Answers);
    // The same; the request brings a duplicate of the descriptor with it. Errc::Unsupported where the stream
    // carries none.
    Result<Exchange> beginWith(ValueMap request, int descriptor);
    [[nodiscard]] bool carriesDescriptors() const { return m_carrier != nullptr; }
    // For the answer to a request that another one brings with it: its id is to be told there.
    Result<Exchange> reserve();
    // One request with one answer. A "problem" becomes an error (InvalidArgument), as does an answer that is
    // not `expected` (Corrupt).
    Result<Frame> ask(ValueMap request, const char* expected, Millis timeout);
    // Without an answer of its own: interrupt, shutdown.
    Result<void> send(const ValueMap& message);
    // The first exchange on a connection.
    Result<Frame> hello(const ValueMap& options, Millis timeout);

    // Requests by which what the session holds may have changed though none of its code was run by a cell or
    // a node: files put there and terminals; looks at names, which call methods of the user's own classes.
    struct Touches {
        std::uint64_t byHand = 0;
        std::uint64_t looks = 0;
        friend bool operator==(const Touches&, const Touches&) = default;
    };
    [[nodiscard]] Touches touches() const { return { m_byHand, m_looks }; }

    // Of frames in either direction, from now on.
    void setFrameLimit(std::size_t bytes) { m_frameLimit = bytes; }

    // Ids up to this one were used on an earlier connection.
    void skipIds(std::int64_t upTo);

    // Takes in what has arrived, without waiting.
    void pump();
    // It ended because another connection said hello to the runner, which knows only one.
    [[nodiscard]] bool wasSuperseded() const;
    // Why the link has ended.
    [[nodiscard]] std::optional<Error> failure() const;
    // Ends the link; those who wait get `reason`.
    void close(Error reason);
    // True when a write has been waiting for longer than `limit`: the runner does not read.
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
    sandbox::DescriptorCarrier* const m_carrier; // the same stream; null where it carries none
    const IdleListener m_idle;
    std::mutex m_writeMutex;
    std::atomic<std::size_t> m_frameLimit = kMaxFrameBytes;
    std::atomic<std::int64_t> m_writingSince = 0; // steady nanoseconds, 0: no write is under way

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
