#include "core/sandbox/egress/handed_socket.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

namespace sg::sandbox::egress {
namespace {

constexpr std::size_t kFirst = 8192;

int option(int socket, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

} // namespace

bool isListener(int socket)
{
    const int domain = option(socket, SO_DOMAIN);
    return option(socket, SO_ACCEPTCONN) == 1 && option(socket, SO_TYPE) == SOCK_STREAM
        && option(socket, SO_PROTOCOL) == IPPROTO_TCP && (domain == AF_INET || domain == AF_INET6);
}

FirstWords firstWords(int socket)
{
    FirstWords words;
    std::string buffer(kFirst, '\0');
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * 4)> control{};
    iovec part{ buffer.data(), buffer.size() };
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0)
        return words;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS)
            continue;
        for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= each->cmsg_len; at += sizeof(int)) {
            int passed = -1;
            std::memcpy(&passed, CMSG_DATA(each) + at, sizeof passed);
            words.passed = Fd(passed); // the last one counts, the others are closed
        }
    }
    words.bytes.assign(buffer.data(), static_cast<std::size_t>(got));
    return words;
}

void stopWaitingOn(int listener)
{
    const int flags = ::fcntl(listener, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) == 0)
        (void)::fcntl(listener, F_SETFL, flags | O_NONBLOCK);
}

} // namespace sg::sandbox::egress
