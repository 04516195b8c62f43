#include "core/sandbox/egress/waiting_socket.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace sg::sandbox::egress {

Result<void> waitFor(int socket, short events, int stop, SteadyTime deadline)
{
    while (true) {
        const auto left = std::chrono::ceil<Millis>(deadline - std::chrono::steady_clock::now()).count();
        if (left <= 0)
            return Error{ Errc::Timeout, "nothing came in time" };
        pollfd watched[2]{ { socket, events, 0 }, { stop, POLLIN, 0 } };
        const int ready = ::poll(watched, 2, static_cast<int>(std::min<long long>(left, 60'000)));
        if (ready < 0 && errno != EINTR)
            return errnoError(errno, "wait for a connection");
        if (ready > 0 && watched[1].revents != 0)
            return Error{ Errc::Cancelled, "the session ends" };
        if (ready > 0 && watched[0].revents != 0)
            return {};
    }
}

Result<std::size_t> readSome(int socket, char* buffer, std::size_t size, int stop, SteadyTime deadline)
{
    while (true) {
        const ssize_t got = ::recv(socket, buffer, size, MSG_DONTWAIT);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return Error{ Errc::Unavailable, "the connection broke" };
        if (auto waited = waitFor(socket, POLLIN, stop, deadline); !waited)
            return std::move(waited.error());
    }
}

Result<void> writeAll(int socket, std::string_view bytes, int stop, SteadyTime deadline)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return Error{ Errc::Unavailable, "the connection broke" };
        if (auto waited = waitFor(socket, POLLOUT, stop, deadline); !waited)
            return waited;
    }
    return {};
}

Result<int> connectTo(const sockaddr* address, std::size_t size, int stop, SteadyTime deadline)
{
    Fd socket(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.isOpen())
        return errnoError(errno, "make a socket");
    if (::connect(socket.get(), address, static_cast<socklen_t>(size)) != 0) {
        if (errno != EINPROGRESS)
            return Error{ Errc::Unavailable, errnoText(errno) };
        if (auto waited = waitFor(socket.get(), POLLOUT, stop, deadline); !waited)
            return std::move(waited.error());
        int failed = 0;
        socklen_t length = sizeof failed;
        if (::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &failed, &length) != 0 || failed != 0)
            return Error{ Errc::Unavailable, errnoText(failed) };
    }
    const int on = 1;
    (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket.take();
}

} // namespace sg::sandbox::egress
