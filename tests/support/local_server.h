#pragma once

#include "core/base/child_process.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace sg::test {

// A server on 127.0.0.1 that sends the same text after the head of each request, and closes the connection.
// With an empty text it only records what comes.
class LocalServer {
public:
    explicit LocalServer(std::string answer)
        : m_answer(std::move(answer))
        , m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
        , m_stop(::eventfd(0, EFD_CLOEXEC))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(m_listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
            || ::listen(m_listener.get(), 16) != 0
            || ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
            std::abort();
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { serve(); });
    }
    LocalServer(const LocalServer&) = delete;
    LocalServer& operator=(const LocalServer&) = delete;
    ~LocalServer()
    {
        const std::uint64_t one = 1;
        (void)!::write(m_stop.get(), &one, sizeof one);
        m_thread.join();
    }

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] int requests() const
    {
        const std::lock_guard lock(m_mutex);
        return m_requests;
    }
    // The newest connection's bytes so far.
    [[nodiscard]] std::string last() const
    {
        const std::lock_guard lock(m_mutex);
        return m_last;
    }

private:
    bool waits(int socket) const
    {
        pollfd watched[2]{ { socket, POLLIN, 0 }, { m_stop.get(), POLLIN, 0 } };
        return ::poll(watched, 2, -1) > 0 && watched[1].revents == 0;
    }
    void serve()
    {
        while (waits(m_listener.get())) {
            const Fd socket(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
            std::string heard;
            while (socket.isOpen() && waits(socket.get())) {
                char buffer[4096];
                const ssize_t got = ::recv(socket.get(), buffer, sizeof buffer, 0);
                if (got <= 0)
                    break;
                heard.append(buffer, static_cast<std::size_t>(got));
                const bool isWhole = heard.find("\r\n\r\n") != std::string::npos;
                {
                    const std::lock_guard lock(m_mutex);
                    m_last = heard;
                    m_requests += isWhole ? 1 : 0;
                }
                if (!isWhole || m_answer.empty())
                    continue;
                for (std::size_t at = 0; at < m_answer.size();) {
                    const ssize_t sent =
                        ::send(socket.get(), m_answer.data() + at, m_answer.size() - at, MSG_NOSIGNAL);
                    if (sent <= 0)
                        break;
                    at += static_cast<std::size_t>(sent);
                }
                break;
            }
        }
    }

    const std::string m_answer;
    const Fd m_listener;
    const Fd m_stop;
    std::uint16_t m_port = 0;
    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    int m_requests = 0;
    std::string m_last;
    std::thread m_thread;
};

} // namespace sg::test
