#pragma once

#include "tests/support/temp_dir.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <list>
#include <string>
#include <thread>
#include <utility>

namespace sg::test {

// Stands before a server on a unix socket. After swallow() the connections that there are look alive on both
// sides, and nothing that is sent on them arrives; new ones are in order.
class SwallowingProxy {
public:
    explicit SwallowingProxy(std::string server, std::string name = "proxy.sock")
        : m_server(std::move(server))
        , m_name(std::move(name))
        , m_listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        const sockaddr_un address = addressOf(socket());
        if (::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
            || ::listen(m_listener, 64) != 0)
            std::abort();
        m_accepting = std::thread([this] { accept(); });
    }
    SwallowingProxy(const SwallowingProxy&) = delete;
    SwallowingProxy& operator=(const SwallowingProxy&) = delete;
    ~SwallowingProxy()
    {
        m_isOver = true;
        m_accepting.join();
        for (std::thread& each : m_lines)
            each.join();
        ::close(m_listener);
    }

    [[nodiscard]] std::string socket() const { return (m_dir / m_name).string(); }
    [[nodiscard]] std::string folder() const { return m_dir.path().string(); }
    [[nodiscard]] std::string address() const { return "unix://" + socket(); }
    void swallow() { ++m_age; }

private:
    static sockaddr_un addressOf(const std::string& path)
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
        return address;
    }

    void accept()
    {
        while (!m_isOver) {
            pollfd waiting{ m_listener, POLLIN, 0 };
            if (::poll(&waiting, 1, 20) != 1)
                continue;
            const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (client >= 0)
                m_lines.emplace_back([this, client, age = m_age.load()] { pass(client, age); });
        }
    }

    void pass(int client, int age)
    {
        const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_un address = addressOf(m_server);
        bool isOpen = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        std::array<char, 16384> bytes{};
        while (isOpen && !m_isOver) {
            std::array<pollfd, 2> ends{ { { client, POLLIN, 0 }, { server, POLLIN, 0 } } };
            if (::poll(ends.data(), ends.size(), 20) <= 0)
                continue;
            for (std::size_t i = 0; i < ends.size(); ++i)
                if (ends.at(i).revents != 0) {
                    const ssize_t got = ::read(ends.at(i).fd, bytes.data(), bytes.size());
                    isOpen = isOpen && got > 0;
                    if (got > 0 && age == m_age)
                        isOpen = ::send(ends.at(1 - i).fd, bytes.data(), static_cast<std::size_t>(got),
                                        MSG_NOSIGNAL)
                            == got;
                }
        }
        ::close(client);
        ::close(server);
    }

    const TempDir m_dir;
    const std::string m_server;
    const std::string m_name; // of the socket
    const int m_listener;
    std::atomic<int> m_age = 0;
    std::atomic<bool> m_isOver = false;
    std::list<std::thread> m_lines; // of the accepting thread, until it has ended
    std::thread m_accepting;
};

} // namespace sg::test
