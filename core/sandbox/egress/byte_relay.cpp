#include "core/sandbox/egress/byte_relay.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>

namespace sg::sandbox::egress {
namespace {

constexpr std::size_t kBuffer = 256U << 10;

// One direction of a relay.
class Way {
public:
    Way(int from, int to, RelayWay which)
        : m_from(from)
        , m_to(to)
        , m_which(which)
        , m_buffer(std::make_unique_for_overwrite<char[]>(kBuffer))
    {
    }
    [[nodiscard]] bool isOver() const { return m_isOver; }
    [[nodiscard]] short readEvents() const { return !m_isOver && m_begin == m_end ? POLLIN : 0; }
    [[nodiscard]] short writeEvents() const { return !m_isOver && m_begin < m_end ? POLLOUT : 0; }

    // False: the connection is broken.
    bool move(const RelayCount& count)
    {
        while (!m_isOver) {
            if (m_begin == m_end) {
                const ssize_t got = ::recv(m_from, m_buffer.get(), kBuffer, MSG_DONTWAIT);
                if (got < 0)
                    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
                if (got == 0) {
                    m_isOver = true;
                    (void)::shutdown(m_to, SHUT_WR);
                    return true;
                }
                if (!count(m_which, got))
                    return false;
                m_begin = 0;
                m_end = static_cast<std::size_t>(got);
            }
            const ssize_t sent =
                ::send(m_to, m_buffer.get() + m_begin, m_end - m_begin, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent < 0)
                return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
            m_begin += static_cast<std::size_t>(sent);
        }
        return true;
    }

private:
    const int m_from;
    const int m_to;
    const RelayWay m_which;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    bool m_isOver = false;
};

} // namespace

void relayBytes(const RelayEnds& ends, RelayMode mode, Millis idle, const RelayCount& count)
{
    Way out(ends.inside, ends.outside, RelayWay::Out);
    Way in(ends.outside, ends.inside, RelayWay::In);
    const bool isBoth = mode == RelayMode::BothWays;
    while (!in.isOver() || (isBoth && !out.isOver())) {
        pollfd watched[3]{ { ends.inside, in.writeEvents(), 0 },
                           { ends.outside, in.readEvents(), 0 },
                           { ends.stop, POLLIN, 0 } };
        if (isBoth) {
            watched[0].events = static_cast<short>(watched[0].events | out.readEvents());
            watched[1].events = static_cast<short>(watched[1].events | out.writeEvents());
        } else {
            watched[0].events = static_cast<short>(watched[0].events | POLLRDHUP);
        }
        const int ready = ::poll(watched, 3, static_cast<int>(idle.count()));
        if (ready == 0 || watched[2].revents != 0 || (ready < 0 && errno != EINTR))
            return;
        // A closed side without wanted events would make poll() return without end.
        const auto isGone = [](const pollfd& each) {
            return (each.revents & (POLLERR | POLLHUP)) != 0 && (each.revents & POLLIN) == 0
                && (each.events & POLLIN) == 0;
        };
        if (!in.move(count) || (isBoth && !out.move(count)) || isGone(watched[0]) || isGone(watched[1]))
            return;
        if (!isBoth && (watched[0].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
            return;
    }
}

} // namespace sg::sandbox::egress
