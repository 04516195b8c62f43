#include "core/sandbox/egress/egress_host.h"

#include "core/sandbox/egress/waiting_socket.h"

#include <poll.h>

#include <vector>

namespace sg::sandbox::egress {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kHostBuffer = 64U << 10;

// Waits until the host has sent something. False: the request must end.
bool waitForHost(int host, int inside, int stop, Millis idle)
{
    pollfd watched[3]{ { host, POLLIN, 0 }, { inside, POLLRDHUP, 0 }, { stop, POLLIN, 0 } };
    return ::poll(watched, 3, static_cast<int>(idle.count())) > 0 && watched[2].revents == 0
        && (watched[1].revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

} // namespace

bool EgressHost::send(std::string_view bytes, int stop, SteadyTime deadline)
{
    if (!m_tls)
        return static_cast<bool>(writeAll(m_socket.get(), bytes, stop, deadline));
    while (!bytes.empty()) {
        const auto sent = m_tls->write(bytes);
        if (!sent)
            return false;
        bytes.remove_prefix(*sent);
        if (*sent == 0 && !waitFor(m_tls->socket(), POLLOUT, stop, deadline))
            return false;
    }
    return true;
}

void EgressHost::relayAnswer(int inside, int stop, Millis idle, const RelayCount& count)
{
    if (!m_tls) {
        relayBytes({ inside, m_socket.get(), stop }, RelayMode::AnswerOnly, idle, count);
        return;
    }
    std::vector<char> buffer(kHostBuffer);
    while (true) {
        const auto got = m_tls->read(buffer.data(), buffer.size());
        if (!got || (*got && **got == 0))
            return;
        if (!*got) {
            if (!waitForHost(m_tls->socket(), inside, stop, idle))
                return;
            continue;
        }
        if (!count(RelayWay::In, static_cast<std::int64_t>(**got))
            || !writeAll(inside, { buffer.data(), **got }, stop, steady_clock::now() + idle))
            return;
    }
}

} // namespace sg::sandbox::egress
