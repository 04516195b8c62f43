#pragma once

#include "core/base/child_process.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sg::test {

// A server that answers each request with exactly the bytes that the test's function makes of it, then waits
// for the next one on the same connection; an empty answer closes the connection without a word, one that
// ends in kThenClose after the bytes before that.
class ScriptedHttpServer {
public:
    static constexpr std::string_view kThenClose = "\x04then close";
    using Answer = std::function<std::string(const std::string& request)>;

    explicit ScriptedHttpServer(Answer answer) // on 127.0.0.1
        : m_answer(std::move(answer))
        , m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        static_cast<void>(::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), length));
        ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
        m_port = ntohs(address.sin_port);
        begin();
    }
    ScriptedHttpServer(const std::filesystem::path& path, Answer answer) // on a unix socket
        : m_answer(std::move(answer))
        , m_listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
        static_cast<void>(::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address));
        begin();
    }
    ScriptedHttpServer(const ScriptedHttpServer&) = delete;
    ScriptedHttpServer& operator=(const ScriptedHttpServer&) = delete;
    ~ScriptedHttpServer()
    {
        m_stop = true;
        ::shutdown(m_listener.get(), SHUT_RDWR);
        m_thread.join();
        for (std::thread& each : m_connections)
            each.join();
    }

    [[nodiscard]] std::string url(const std::string& path) const
    {
        return "http://127.0.0.1:" + std::to_string(m_port) + path;
    }
    [[nodiscard]] int connections() const { return m_count; }
    [[nodiscard]] int left() const { return m_left; } // connections that the other side closed

    static std::string response(int status, const std::string& body, const std::string& headers = {})
    {
        return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size())
            + "\r\n" + headers + "\r\n" + body;
    }

private:
    void begin()
    {
        ::listen(m_listener.get(), 8);
        m_thread = std::thread([this] {
            while (!m_stop) {
                const int accepted = ::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
                if (accepted < 0)
                    return;
                ++m_count;
                m_connections.emplace_back([this, accepted] { serve(Fd(accepted)); });
            }
        });
    }

    void serve(Fd connection)
    {
        std::string received;
        while (!m_stop) {
            pollfd watched{ connection.get(), POLLIN, 0 };
            if (::poll(&watched, 1, 20) == 0)
                continue;
            char buffer[4096];
            const ssize_t got = ::recv(connection.get(), buffer, sizeof buffer, 0);
            if (got <= 0) {
                ++m_left;
                return;
            }
            received.append(buffer, static_cast<std::size_t>(got));
            const std::size_t head = received.find("\r\n\r\n");
            if (head == std::string::npos)
                continue;
            const std::size_t length = received.find("Content-Length: ");
            const std::size_t body = length < head ? std::stoul(received.substr(length + 16)) : 0;
            if (received.size() < head + 4 + body)
                continue;
            std::string answer = m_answer(received);
            received.clear();
            const bool closes = answer.empty() || answer.ends_with(kThenClose);
            if (answer.ends_with(kThenClose))
                answer.resize(answer.size() - kThenClose.size());
            ::send(connection.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
            if (closes)
                return;
        }
    }

    const Answer m_answer;
    const Fd m_listener;
    int m_port = 0;
    std::atomic<bool> m_stop = false;
    std::atomic<int> m_count = 0;
    std::atomic<int> m_left = 0;
    std::vector<std::thread> m_connections; // the accepting thread's
    std::thread m_thread;
};

} // namespace sg::test
