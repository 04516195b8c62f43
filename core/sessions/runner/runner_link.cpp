#include "core/sessions/runner/runner_link.h"

#include "core/sandbox/descriptor_carrier.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sg::sessions {
namespace {

constexpr std::size_t kReadBytes = 256U << 10;
constexpr std::size_t kMostQueuedBytes = 8U << 20; // unread answers, of threads slower than the reading one
constexpr Millis kReadSlice{ 250 };
constexpr Millis kHandTime{ 15'000 }; // for the runner to take a socket
constexpr std::int64_t kHelloId = 0; // "ready" has no id, so it is put into this inbox

std::int64_t steadyNs()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

std::string problemText(const Value& body)
{
    const Value& error = body["error"];
    return error.stringOr("type", "error").substr(0, 200) + ": "
        + error.stringOr("message", "no reason given").substr(0, 4000);
}

bool isForHello(const Frame& frame)
{
    return frame.id == 0 && (frame.event == "ready" || frame.event == "problem");
}

bool isOutput(const Frame& frame)
{
    return frame.event == "out" || frame.event == "truncated" || frame.event == "display"
        || frame.event == "custom";
}

} // namespace

RunnerLink::RunnerLink(sandbox::ByteStream& stream, IdleListener idle)
    : m_stream(stream)
    , m_carrier(dynamic_cast<sandbox::DescriptorCarrier*>(&stream))
    , m_idle(std::move(idle))
    , m_buffer(kReadBytes)
{
}

RunnerLink::Exchange::Exchange(Exchange&& other) noexcept
    : m_link(std::exchange(other.m_link, nullptr))
    , m_id(other.m_id)
{
}

RunnerLink::Exchange::~Exchange()
{
    if (m_link != nullptr)
        m_link->drop(m_id);
}

Result<Frame> RunnerLink::Exchange::next(SteadyTime deadline)
{
    return m_link->next(m_id, deadline);
}

Result<RunnerLink::Exchange> RunnerLink::reserve()
{
    return reserve(Takes::Answers);
}

Result<RunnerLink::Exchange> RunnerLink::reserve(Takes takes)
{
    const std::lock_guard lock(m_mutex);
    if (m_failure)
        return *m_failure;
    const std::int64_t id = ++m_lastId;
    m_inboxes[id].takesOutput = takes == Takes::OutputToo;
    return Exchange(this, id);
}

Result<RunnerLink::Exchange> RunnerLink::begin(ValueMap request, Takes takes)
{
    auto exchange = reserve(takes);
    if (!exchange)
        return exchange;
    request.set("id", exchange->id());
    if (auto sent = send(request); !sent)
        return sent.error();
    return exchange;
}

Result<RunnerLink::Exchange> RunnerLink::beginWith(ValueMap request, int descriptor)
{
    if (m_carrier == nullptr)
        return Error{ Errc::Unsupported, "the stream to the session's runner carries no descriptors" };
    auto exchange = reserve();
    if (!exchange)
        return exchange;
    request.set("id", exchange->id());
    if (auto sent = sendWith(request, &descriptor); !sent)
        return sent.error();
    return exchange;
}

Result<RunnerLink::Handed> RunnerLink::handSocket(const char* op, const std::string& what)
{
    if (!carriesDescriptors())
        return Error{ Errc::Unsupported,
                      what + " need a sandbox on this machine: its stream carries no sockets" };
    if (auto awaiting = ask({ { "op", "await_descriptor" } }, "awaiting", kHandTime); !awaiting)
        return std::move(awaiting.error());
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{ Errc::Io, "there are no sockets left for " + what };
    Fd ours(ends[0]);
    Fd theirs(ends[1]);
    auto exchange = beginWith({ { "op", op } }, theirs.get());
    theirs.reset();
    if (!exchange)
        return std::move(exchange.error());
    auto frame = exchange->next(std::chrono::steady_clock::now() + kHandTime);
    if (!frame)
        return std::move(frame.error());
    if (frame->event != "received")
        return Error{ Errc::Unsupported, "the sandbox was started by an older version of this program" };
    return Handed{ std::move(ours), std::move(frame->body) };
}

Result<Frame> RunnerLink::ask(ValueMap request, const char* expected, Millis timeout)
{
    const SteadyTime deadline = std::chrono::steady_clock::now() + timeout;
    auto exchange = begin(std::move(request));
    if (!exchange)
        return exchange.error();
    auto answer = exchange->next(deadline);
    if (!answer || answer->event == expected)
        return answer;
    if (answer->event == "problem")
        return Error{ Errc::InvalidArgument, problemText(answer->body) };
    Error reason{ Errc::Corrupt,
                  std::string("the session's runner broke the protocol: not \"") + expected
                      + "\" was the answer" };
    close(reason);
    return reason;
}

Result<void> RunnerLink::send(const ValueMap& message)
{
    return sendWith(message, nullptr);
}

void RunnerLink::countTouch(const ValueMap& message)
{
    const Value* op = message.find("op");
    if (op == nullptr || !op->isString())
        return;
    const std::string_view name = op->asString();
    const Value* root = message.find("root");
    const bool puts = name == "put_file" && root != nullptr && *root == Value("session");
    if (puts || name == "terminal" || name == "terminal_input")
        ++m_byHand;
    else if (name == "variables" || name == "complete" || name == "inspect")
        ++m_looks;
}

Result<void> RunnerLink::sendWith(const ValueMap& message, const int* descriptor)
{
    const auto frame = encodeFrame(message, m_frameLimit);
    if (!frame)
        return frame.error();
    countTouch(message);
    auto written = [&] {
        const std::lock_guard lock(m_writeMutex);
        m_writingSince = steadyNs();
        auto done =
            descriptor != nullptr ? m_carrier->writeWith(*frame, *descriptor) : m_stream.write(*frame);
        m_writingSince = 0;
        return done;
    }();
    if (!written)
        pump(); // the runner may have said why it closed the stream
    return written;
}

Result<Frame> RunnerLink::hello(const ValueMap& options, Millis timeout)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_failure)
            return *m_failure;
        m_inboxes.try_emplace(kHelloId);
    }
    Exchange exchange(this, kHelloId);
    if (auto sent = send({ { "op", "hello" }, { "v", 1 }, { "options", Value(options) } }); !sent)
        return sent.error();
    auto answer = exchange.next(std::chrono::steady_clock::now() + timeout);
    if (answer && answer->event == "problem")
        return Error{ Errc::Unavailable, problemText(answer->body) };
    return answer;
}

Result<Frame> RunnerLink::next(std::int64_t id, SteadyTime deadline)
{
    std::unique_lock lock(m_mutex);
    Inbox& inbox = m_inboxes.at(id);
    while (true) {
        if (!inbox.frames.empty()) {
            Frame frame = std::move(inbox.frames.front());
            inbox.frames.pop_front();
            const bool wasCrowded = m_queuedBytes > kMostQueuedBytes;
            m_queuedBytes -= frame.bytes;
            if (wasCrowded)
                m_changed.notify_all();
            return frame;
        }
        if (m_failure)
            return *m_failure;
        const SteadyTime now = std::chrono::steady_clock::now();
        if (now >= deadline)
            return Error{ Errc::Timeout, "the session's runner did not answer in time" };
        if (m_reading || m_queuedBytes > kMostQueuedBytes) {
            m_changed.wait_until(lock, deadline);
            continue;
        }
        m_reading = true;
        lock.unlock();
        std::vector<Frame> frames;
        std::vector<Frame> idle;
        std::optional<Error> failure;
        readOnce(std::min(std::chrono::ceil<Millis>(deadline - now), kReadSlice), frames, failure);
        lock.lock();
        m_reading = false;
        dispatch(frames, idle);
        if (failure && !m_failure)
            m_failure = std::move(failure);
        m_changed.notify_all();
        if (!idle.empty()) {
            lock.unlock();
            for (const Frame& frame : idle)
                m_idle(frame);
            lock.lock();
        }
    }
}

// Called without the mutex, by the thread that set m_reading.
void RunnerLink::readOnce(Millis timeout, std::vector<Frame>& frames, std::optional<Error>& failure)
{
    const auto got = m_stream.read(m_buffer.data(), m_buffer.size(), timeout);
    if (!got) {
        if (got.error().code != Errc::Timeout)
            failure = got.error();
        return;
    }
    if (*got == 0) {
        failure = Error{ Errc::Unavailable, "the session's runner has ended" };
        return;
    }
    m_reader.append({ m_buffer.data(), *got });
    while (true) {
        Frame frame;
        const auto whole = m_reader.next(frame, m_frameLimit);
        if (!whole) {
            failure = whole.error();
            m_stream.close();
            return;
        }
        if (!*whole)
            return;
        frames.push_back(std::move(frame));
    }
}

// Called with the mutex held.
void RunnerLink::dispatch(std::vector<Frame>& frames, std::vector<Frame>& idle)
{
    for (Frame& frame : frames) {
        if (frame.id == 0 && frame.event == "superseded") {
            m_superseded = true;
            if (!m_failure)
                m_failure = Error{ Errc::Conflict, "another program has taken the session up" };
            continue;
        }
        if (frame.id == 0 && !isForHello(frame)) {
            idle.push_back(std::move(frame));
            continue;
        }
        const auto inbox = m_inboxes.find(frame.id);
        if (inbox == m_inboxes.end())
            continue; // nobody waits for this answer any more
        if (isOutput(frame) && !inbox->second.takesOutput) {
            idle.push_back(std::move(frame));
            continue;
        }
        m_queuedBytes += frame.bytes;
        inbox->second.frames.push_back(std::move(frame));
    }
}

void RunnerLink::skipIds(std::int64_t upTo)
{
    const std::lock_guard lock(m_mutex);
    m_lastId = std::max(m_lastId, upTo);
}

void RunnerLink::pump()
{
    std::vector<Frame> idle;
    {
        std::unique_lock lock(m_mutex);
        if (m_reading || m_failure || m_queuedBytes > kMostQueuedBytes)
            return;
        m_reading = true;
        lock.unlock();
        std::vector<Frame> frames;
        std::optional<Error> failure;
        readOnce(Millis(0), frames, failure);
        lock.lock();
        m_reading = false;
        dispatch(frames, idle);
        if (failure && !m_failure)
            m_failure = std::move(failure);
        m_changed.notify_all();
    }
    for (const Frame& frame : idle)
        m_idle(frame);
}

bool RunnerLink::wasSuperseded() const
{
    const std::lock_guard lock(m_mutex);
    return m_superseded;
}

std::optional<Error> RunnerLink::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

void RunnerLink::close(Error reason)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(reason);
    }
    m_stream.close();
    m_changed.notify_all();
}

bool RunnerLink::writeHangs(Millis limit) const
{
    const std::int64_t since = m_writingSince;
    return since != 0 && std::chrono::nanoseconds(steadyNs() - since) > limit;
}

void RunnerLink::drop(std::int64_t id)
{
    const std::lock_guard lock(m_mutex);
    const auto inbox = m_inboxes.find(id);
    if (inbox == m_inboxes.end())
        return;
    for (const Frame& frame : inbox->second.frames)
        m_queuedBytes -= frame.bytes;
    m_inboxes.erase(inbox);
    m_changed.notify_all();
}

} // namespace sg::sessions
