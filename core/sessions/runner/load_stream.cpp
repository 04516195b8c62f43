#include "core/sessions/runner/load_stream.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <string>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kPiece = 1U << 20;
constexpr std::size_t kPiecesAhead = 3;
constexpr std::size_t kSmall = 64U << 10; // shorter pieces are gathered
constexpr int kSocketBuffer = 1 << 20; // the system may give less
constexpr Millis kLook{ 250 };

// Sends pieces of one size, several in flight.
class PieceStream final : public LoadStream {
public:
    static Result<std::unique_ptr<LoadStream>> begin(RunnerLink& link, Millis patience)
    {
        auto exchange = link.begin({ { "op", "load" } });
        if (!exchange)
            return std::move(exchange.error());
        return std::unique_ptr<LoadStream>(
            std::make_unique<PieceStream>(link, std::move(*exchange), patience));
    }
    PieceStream(RunnerLink& link, RunnerLink::Exchange exchange, Millis patience)
        : LoadStream(link, std::move(exchange), patience)
    {
    }
    ~PieceStream() override
    {
        if (!m_isOver) // or the interpreter would wait for more, and the next request for it
            static_cast<void>(begin(true));
    }

    Result<void> add(std::string_view bytes) override
    {
        m_held.append(bytes);
        return m_held.size() >= kPiece ? send(false) : Result<void>();
    }
    Result<void> finish() override
    {
        if (auto sent = send(true); !sent)
            return sent;
        while (!m_waiting.empty())
            if (auto taken = takeAnswer(); !taken)
                return taken;
        return {};
    }
    [[nodiscard]] bool isDirect() const override { return false; }

private:
    Result<RunnerLink::Exchange> begin(bool last)
    {
        return m_link.begin({ { "op", "load_piece" },
                              { "to", m_exchange.id() },
                              { "data", Bytes{ std::exchange(m_held, {}) } },
                              { "last", last } });
    }
    Result<void> send(bool last)
    {
        m_isOver = m_isOver || last;
        auto begun = begin(last);
        if (!begun) {
            m_isOver = true;
            return std::move(begun.error());
        }
        m_waiting.push_back(std::move(*begun));
        return m_waiting.size() > kPiecesAhead ? takeAnswer() : Result<void>();
    }
    Result<void> takeAnswer()
    {
        const auto frame = m_waiting.front().next(steady_clock::now() + m_patience);
        m_waiting.pop_front();
        if (frame && frame->event == "taken")
            return {};
        m_isOver = true;
        if (!frame)
            return frame.error();
        m_isAbandoned = true;
        return Error{ Errc::Corrupt, "a piece of the stored names was refused" };
    }

    std::string m_held;
    std::deque<RunnerLink::Exchange> m_waiting;
    bool m_isOver = false; // all is sent, or sending failed
};

class DirectStream final : public LoadStream {
public:
    DirectStream(RunnerLink& link, RunnerLink::Exchange exchange, Millis patience, Fd socket)
        : LoadStream(link, std::move(exchange), patience)
        , m_socket(std::move(socket))
    {
    }

    Result<void> add(std::string_view bytes) override
    {
        if (bytes.size() < kSmall) {
            m_held.append(bytes);
            return m_held.size() >= kSmall ? writeHeld() : Result<void>();
        }
        if (auto written = writeHeld(); !written)
            return written;
        return write(bytes);
    }
    Result<void> finish() override
    {
        auto written = writeHeld();
        m_socket.reset();
        return written;
    }
    [[nodiscard]] bool isDirect() const override { return true; }

private:
    Result<void> writeHeld()
    {
        auto written = write(m_held);
        m_held.clear();
        return written;
    }
    Result<void> write(std::string_view bytes)
    {
        SteadyTime deadline = steady_clock::now() + m_patience;
        while (!bytes.empty()) {
            const ssize_t sent =
                ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent >= 0) {
                bytes.remove_prefix(static_cast<std::size_t>(sent));
                deadline = steady_clock::now() + m_patience;
                continue;
            }
            if (errno == EPIPE || errno == ECONNRESET) {
                m_isAbandoned = true;
                return Error{ Errc::Unavailable, "the interpreter has stopped reading its names" };
            }
            if (errno != EAGAIN && errno != EINTR)
                return errnoError(errno, "send the interpreter its names");
            if (auto room = awaitRoom(deadline); !room)
                return room;
        }
        return {};
    }
    // Polls the link meanwhile: once that has ended, nobody may be left to close the socket's other end.
    Result<void> awaitRoom(SteadyTime deadline)
    {
        while (true) {
            const auto left = std::chrono::ceil<Millis>(deadline - steady_clock::now());
            pollfd watched{ m_socket.get(), POLLOUT, 0 };
            if (::poll(&watched, 1, static_cast<int>(std::clamp(left, Millis(0), kLook).count())) > 0)
                return {};
            m_link.pump();
            if (auto failure = m_link.failure())
                return std::move(*failure);
            if (left <= Millis(0))
                return Error{ Errc::Timeout, "the interpreter does not read its names" };
        }
    }

    Fd m_socket;
    std::string m_held;
};

// Null where the runner cannot receive a socket: it is an older one, or the descriptor does not reach it.
Result<std::unique_ptr<LoadStream>> beginDirect(RunnerLink& link, Millis patience)
{
    if (!link.carriesDescriptors())
        return std::unique_ptr<LoadStream>();
    if (const auto awaiting = link.ask({ { "op", "await_descriptor" } }, "awaiting", patience); !awaiting) {
        if (awaiting.error().code == Errc::InvalidArgument)
            return std::unique_ptr<LoadStream>();
        return awaiting.error();
    }
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return std::unique_ptr<LoadStream>();
    Fd ours(ends[0]);
    Fd theirs(ends[1]);
    ::shutdown(ours.get(), SHUT_RD); // nothing is read: code in the sandbox has the other end
    ::setsockopt(ours.get(), SOL_SOCKET, SO_SNDBUF, &kSocketBuffer, sizeof kSocketBuffer);
    auto exchange = link.beginWith({ { "op", "load" }, { "descriptor", true } }, theirs.get());
    theirs.reset();
    if (!exchange)
        return std::unique_ptr<LoadStream>();
    const auto frame = exchange->next(steady_clock::now() + patience);
    if (!frame)
        return frame.error();
    if (frame->event == "problem")
        return std::unique_ptr<LoadStream>();
    if (frame->event != "received")
        return Error{ Errc::Corrupt, "the session's runner did not say that it has the names' socket" };
    return std::unique_ptr<LoadStream>(
        std::make_unique<DirectStream>(link, std::move(*exchange), patience, std::move(ours)));
}

} // namespace

Result<std::unique_ptr<LoadStream>> LoadStream::begin(RunnerLink& link, Millis patience)
{
    auto direct = beginDirect(link, patience);
    if (!direct || *direct)
        return direct;
    return PieceStream::begin(link, patience);
}

Result<Frame> LoadStream::answer()
{
    return m_exchange.next(steady_clock::now() + m_patience);
}

} // namespace sg::sessions
