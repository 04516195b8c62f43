#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/sigpipe_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>

namespace sg {
namespace {

using std::chrono::steady_clock;

constexpr std::int64_t kStopLatencyMs = 100;

class Exchange {
public:
    Exchange(ChildProcess& child, const std::string& input, std::size_t limit)
        : m_child(child)
        , m_input(input)
        , m_limit(limit)
    {
        for (const Fd* fd : { &child.stdinPipe(), &child.stdoutPipe(), &child.stderrPipe() })
            ::fcntl(fd->get(), F_SETFL, ::fcntl(fd->get(), F_GETFL) | O_NONBLOCK);
        feed();
    }

    // Returns true once the child has ended and its output is read; grandchildren may keep the pipes open.
    Result<bool> turn(int timeoutMs)
    {
        std::array<pollfd, 4> watched{ pollfd{ m_child.exitDescriptor(), POLLIN, 0 },
                                       pollfd{ m_child.stdoutPipe().get(), POLLIN, 0 },
                                       pollfd{ m_child.stderrPipe().get(), POLLIN, 0 },
                                       pollfd{ m_child.stdinPipe().get(), POLLOUT, 0 } };
        if (::poll(watched.data(), watched.size(), timeoutMs) < 0 && errno != EINTR)
            return errnoError(errno, "wait for its output");
        const bool ended = watched[0].revents != 0;
        if (watched[3].revents != 0)
            feed();
        const bool within =
            collect(m_child.stdoutPipe(), output.out) && collect(m_child.stderrPipe(), output.err);
        if (!within)
            return Error{ Errc::LimitExceeded,
                          "it wrote more than " + std::to_string(m_limit) + " bytes and was ended" };
        return ended;
    }

    ProcessOutput output;

private:
    void feed()
    {
        while (m_child.stdinPipe().isOpen()) {
            if (m_fed == m_input.size()) {
                m_child.stdinPipe().reset();
                return;
            }
            const ssize_t written =
                ::write(m_child.stdinPipe().get(), m_input.data() + m_fed, m_input.size() - m_fed);
            if (written > 0)
                m_fed += static_cast<std::size_t>(written);
            else if (errno == EAGAIN)
                return;
            else if (errno != EINTR)
                m_child.stdinPipe().reset(); // it reads no more, which is no error
        }
    }

    // Returns false when the limit is passed.
    bool collect(Fd& from, std::string& into)
    {
        std::array<char, 65536> buffer;
        while (from.isOpen()) {
            const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
            if (got > 0) {
                into.append(buffer.data(), static_cast<std::size_t>(got));
                if (into.size() > m_limit)
                    return false;
            } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                from.reset();
            } else if (errno == EAGAIN) {
                return true;
            }
        }
        return true;
    }

    ChildProcess& m_child;
    const std::string& m_input;
    const std::size_t m_limit;
    std::size_t m_fed = 0;
};

} // namespace

Result<ProcessOutput> runProcess(ProcessSpec spec, const std::string& input,
                                 std::chrono::milliseconds timeout, std::size_t outputLimit,
                                 const std::stop_token& stop)
{
    const std::int64_t mostTurnMs = stop.stop_possible() ? kStopLatencyMs : INT_MAX;
    const auto deadline = steady_clock::now() + timeout;
    spec.pipeStdin = spec.pipeStdout = spec.pipeStderr = true;
    auto child = ChildProcess::start(spec);
    if (!child)
        return std::move(child.error());
    const SigpipeGuard guard;
    Exchange exchange(*child, input, outputLimit);
    while (true) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, spec.program + ": stopped before it was done" };
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
        if (left <= 0)
            return Error{ Errc::Timeout,
                          spec.program + ": not done after " + std::to_string(timeout.count())
                              + " ms and was ended" };
        auto ended = exchange.turn(static_cast<int>(std::min<std::int64_t>(left, mostTurnMs)));
        if (!ended)
            return std::move(ended.error()).during(spec.program);
        if (*ended)
            break;
    }
    auto exit = child->wait(std::chrono::seconds(1));
    if (!exit)
        return std::move(exit.error()).during(spec.program);
    exchange.output.exit = *exit;
    return std::move(exchange.output);
}

} // namespace sg
