#include "core/sandbox/descriptor_stream.h"

#include "core/base/errno_error.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace sg::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// 1: readable or at its end; 0: deadline passed; -1: see errno.
int waitReadable(int fd, steady_clock::time_point deadline)
{
    while (true) {
        const auto left =
            std::max(std::chrono::ceil<milliseconds>(deadline - steady_clock::now()), milliseconds(0));
        pollfd watched{ fd, POLLIN, 0 };
        const int ready =
            ::poll(&watched, 1, static_cast<int>(std::min<std::int64_t>(left.count(), INT_MAX)));
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return ready;
        if (ready == 0 && left.count() == 0)
            return 0;
    }
}

} // namespace

DescriptorStream::DescriptorStream(Fd socket, std::string early)
    : m_socket(std::move(socket))
    , m_early(std::move(early))
{
}

Result<std::size_t> DescriptorStream::read(char* buffer, std::size_t size, milliseconds timeout)
{
    if (!m_early.empty()) {
        const std::size_t count = std::min(size, m_early.size());
        std::memcpy(buffer, m_early.data(), count);
        m_early.erase(0, count);
        return count;
    }
    const auto deadline = steady_clock::now() + timeout;
    while (!m_closed) {
        // Tries to read before it polls: an answer is often there already.
        const ssize_t got = ::recv(m_socket.get(), buffer, size, MSG_DONTWAIT);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno == ECONNRESET)
            return std::size_t{ 0 };
        if (errno != EAGAIN && errno != EINTR)
            return errnoError(errno, "read from the sandbox");
        const int ready = waitReadable(m_socket.get(), deadline);
        if (ready < 0)
            return errnoError(errno, "wait for the sandbox");
        if (ready == 0)
            return Error{ Errc::Timeout,
                          "the sandbox sent nothing in " + std::to_string(timeout.count()) + " ms" };
    }
    return std::size_t{ 0 };
}

Result<void> DescriptorStream::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
            continue;
        }
        if (errno != EINTR)
            return writeError(errno);
    }
    return {};
}

Result<void> DescriptorStream::writeWith(std::string_view bytes, int descriptor)
{
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
    iovec data{ const_cast<char*>(bytes.data()), bytes.size() };
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    ssize_t written = -1;
    do
        written = ::sendmsg(m_socket.get(), &message, MSG_NOSIGNAL);
    while (written < 0 && errno == EINTR);
    if (written < 0)
        return writeError(errno);
    return write(bytes.substr(static_cast<std::size_t>(written)));
}

Error DescriptorStream::writeError(int number) const
{
    if (number == EPIPE || number == ECONNRESET)
        return { Errc::Unavailable,
                 m_closed ? "write to the sandbox: its stream is closed"
                          : "write to the sandbox: its process has ended" };
    return errnoError(number, "write to the sandbox");
}

void DescriptorStream::close()
{
    m_closed = true;
    ::shutdown(m_socket.get(), SHUT_RDWR); // wakes threads that read or write
}

} // namespace sg::sandbox
