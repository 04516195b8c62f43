#include "core/net/connect_socket.h"

#include "core/base/errno_error.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace sg::net {
namespace {

// Connects a non-blocking socket within `timeout` and makes it blocking again. Returns 0 or an errno value.
int connectInTime(int fd, const sockaddr* address, socklen_t length, std::chrono::milliseconds timeout)
{
    if (::connect(fd, address, length) != 0) {
        if (errno != EINPROGRESS)
            return errno;
        pollfd watched{ fd, POLLOUT, 0 };
        if (::poll(&watched, 1, static_cast<int>(timeout.count())) <= 0)
            return ETIMEDOUT;
        int error = 0;
        socklen_t size = sizeof error;
        if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
            return error != 0 ? error : errno;
    }
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return 0;
}

} // namespace

Result<Fd> connectUnixSocket(const std::filesystem::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string& name = path.native();
    if (name.size() >= sizeof address.sun_path)
        return Error{ Errc::InvalidArgument,
                      "connect to " + name + ": the path is longer than a socket's may be" };
    std::memcpy(address.sun_path, name.data(), name.size());
    Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.isOpen()
        || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return errnoError(errno, "connect to " + name);
    return socket;
}

Result<Fd> connectTcp(const std::string& host, const std::string& port, std::chrono::milliseconds timeout)
{
    const std::string doing = "connect to " + host + " port " + port;
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list))
        return Error{ Errc::Unavailable, doing + ": " + ::gai_strerror(error) };
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(list, ::freeaddrinfo);
    int error = EHOSTUNREACH;
    for (const addrinfo* at = list; at; at = at->ai_next) {
        Fd socket(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!socket.isOpen())
            continue;
        error = connectInTime(socket.get(), at->ai_addr, at->ai_addrlen, timeout);
        if (error == 0) {
            const int yes = 1;
            ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            return socket;
        }
    }
    return errnoError(error, doing);
}

} // namespace sg::net
